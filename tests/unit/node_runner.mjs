// Reads {script, input} from stdin, runs the script with `input`, writes what it returns. An array of NumPy travels as
// {type, shape, base64}.
import { text } from "node:stream/consumers";

const { script, input } = JSON.parse(await text(process.stdin));
const bytes = (base64) => new Uint8Array(Buffer.from(base64, "base64"));
const base64 = (view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("base64");
const AsyncFunction = (async () => {}).constructor;
const run = new AsyncFunction("input", "bytes", "base64", script);
process.stdout.write(JSON.stringify(await run(input, bytes, base64)));
