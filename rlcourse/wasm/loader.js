// The kernels of one game, compiled to WebAssembly: arrays in, arrays out. An argument is an array of this file, a number for
// Python's float and bool, a BigInt for its int.

const EDGE_BYTES = 24; // child int32, N int32, W float64, P float64
const TYPES = {
  bool: Uint8Array,
  uint8: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
  edge: Uint8Array,
};

// An array in the memory of the kernels, C-contiguous. `fields` is what Numba passes for it: owner and parent, which are none,
// the number of items, the bytes of one, the place, then shape and strides.
class KernelArray {
  constructor(memory, type, shape, place) {
    Object.assign(this, { memory, type, shape, place });
    this.itemBytes = type === "edge" ? EDGE_BYTES : TYPES[type].BYTES_PER_ELEMENT;
    const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, this.itemBytes));
    this.length = shape.reduce((a, b) => a * b, 1);
    const wide = [...shape, ...strides].map(BigInt);
    this.fields = [0, 0, BigInt(this.length), BigInt(this.itemBytes), place, ...wide];
  }

  // The numbers, as they are now. Memory that grows moves, so nobody keeps this.
  get view() {
    const Type = TYPES[this.type];
    return new Type(this.memory.buffer, this.place, (this.length * this.itemBytes) / Type.BYTES_PER_ELEMENT);
  }
}

class Kernels {
  constructor({ exports }) {
    this.exports = exports;
    this.memory = exports.memory;
    this.top = exports.__heap_base.value;
    this.result = this.array("int64", [64]);
    this.error = this.array("int64", [1]);
  }

  static async load(bytes) {
    return new Kernels((await WebAssembly.instantiate(bytes, {})).instance);
  }

  // Where free memory begins. What a kernel has taken is free again after its call; `top = earlier` frees arrays as well.
  get top() {
    return new Uint32Array(this.memory.buffer, this.exports.top.value, 1)[0];
  }

  set top(place) {
    new Uint32Array(this.memory.buffer, this.exports.top.value, 1)[0] = place;
  }

  // A new array of zeros, or of `numbers`.
  array(type, shape, numbers = null) {
    const bytes = BigInt(shape.reduce((a, b) => a * b, type === "edge" ? EDGE_BYTES : TYPES[type].BYTES_PER_ELEMENT));
    const made = new KernelArray(this.memory, type, shape, this.exports.allocate(bytes));
    if (numbers) made.view.set(numbers);
    else made.view.fill(type.endsWith("int64") ? 0n : 0);
    return made;
  }

  // Call a kernel; returns its number, where it returns a whole number.
  call(name, ...values) {
    const before = this.top;
    const flat = values.flatMap((value) => (value instanceof KernelArray ? value.fields : [value]));
    const status = this.exports[name](this.result.place, this.error.place, ...flat);
    this.top = before;
    if (status !== 0) throw new Error(`the kernel ${name} has failed with status ${status}`);
    return Number(this.result.view[0]);
  }

  // Call a kernel that returns a tuple of arrays, each said as "type axes". They stand where free memory begins, until something
  // takes it.
  callForArrays(types, name, ...values) {
    this.call(name, ...values);
    let { place } = this.result;
    return types.map((said) => {
      const [type, axes] = said.split(" ");
      const [data] = new Uint32Array(this.memory.buffer, place + 24, 1);
      const shape = Array.from(new BigInt64Array(this.memory.buffer, place + 32, Number(axes)), Number);
      place += 32 + 16 * Number(axes);
      return new KernelArray(this.memory, type, shape, data);
    });
  }

  // Call a kernel that returns an array of float32, and copy its numbers to `out`.
  callInto(out, name, ...values) {
    this.call(name, ...values);
    const place = new Uint32Array(this.memory.buffer, this.result.place + 24, 1)[0];
    out.view.set(new Float32Array(this.memory.buffer, place, out.length));
  }
}
