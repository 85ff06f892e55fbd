"""Drawings of networks: a backward pass, two states that share a weight, the layers and the flow
of DQN, a convolution, two heads, a residual block.
"""

from itertools import pairwise

from docs.drawings.parts import WIDTH, arrow, box, brace, label, line, sheet, state, tag, titled


def backpropagation() -> str:
    """Forward and backward through two layers of one neuron each, with numbers."""
    places = (
        (36, "x", "2"),
        (148, "z", "1"),
        (260, "h", "1"),
        (372, "y", "0.3"),
        (480, "L", "0.245"),
    )
    body = [label(12, 18, "forward: values", anchor="start", bold=True)]
    for x, name, number in places:
        body.append(state(x, 130, name, r=20, fill="first-tint", stroke="first"))
        body.append(label(x, 164, number))
    for (x, *_), (next_x, *_) in pairwise(places):
        body.append(arrow((x + 21, 130), (next_x - 21, 130), colour="first"))
    for x, words in ((92, "× w"), (204, "ReLU"), (316, "× u"), (426, "loss")):
        body.append(label(x, 114, words))
    for x, words in ((92, "w = 0.5"), (316, "u = 0.3")):
        body.append(box(x, 60, 84, 28, words))
        body.append(line((x, 74), (x, 102), colour="edge", width=1.5))
    body.append(label(440, 60, "L = (y − 1)²/2"))
    body.append(line((0, 186), (WIDTH, 186), colour="edge", width=1.5))
    body.append(
        label(
            12,
            206,
            "backward: the gradient of L, one factor at each edge",
            anchor="start",
            bold=True,
        )
    )
    slopes = ((148, "−0.21"), (260, "−0.21"), (372, "−0.7"), (480, "1"))
    body += [box(x, 270, 58, 30, words, fill="second-tint", stroke="second") for x, words in slopes]
    for (x, _), (next_x, _) in pairwise(slopes):
        body.append(arrow((next_x - 30, 270), (x + 30, 270), colour="second"))
    body += [label(204, 237, "× 1"), label(316, 237, "× u"), label(426, 237, "× (y − 1)")]
    for x, words in ((148, "w: −0.21 · x = −0.42"), (372, "u: −0.7 · h = −0.7")):
        body.append(box(x, 328, 196, 32, words))
        body.append(arrow((x, 286), (x, 311), colour="second"))
    return sheet(
        354,
        "".join(body),
        title="Forward and backward pass through two layers",
        description=(
            "Forward: x = 2 times w = 0.5 gives z = 1, ReLU gives h = 1, times u = 0.3 gives y = "
            "0.3, and the target 1 gives the loss L = 0.245. Backward: the slope of L is −0.7 at "
            "y, −0.21 at h, −0.21 at z; so it is −0.7 for u and −0.42 for w. Each slope is the one"
            " behind it times the local derivative of the edge."
        ),
    )


def two_states() -> str:
    """Two states that share one weight, after Sutton & Barto (2018) 11.2."""
    body = [
        state(90, 40, "A", r=24, fill="first-tint", stroke="first"),
        arrow((115, 40), (235, 40)),
        label(175, 22, "reward 0"),
        state(260, 40, "B", r=24, fill="first-tint", stroke="first"),
        arrow((285, 40), (405, 40)),
        label(345, 22, "reward 0"),
        label(414, 40, "out", anchor="start"),
        label(90, 86, "V(A) = w"),
        label(260, 86, "V(B) = 2w"),
    ]
    return sheet(
        106,
        "".join(body),
        title="Two states that share a weight",
        description=(
            "State A, whose value is the weight w, leads to state B, whose value is 2w, and B leads"
            " out. Both rewards are 0."
        ),
    )


def deep_q_layers() -> str:
    """From ten numbers to nine values: the network of deep Q-learning."""
    body = [label(52, 20, "10 numbers"), label(478, 20, "9 values")]
    for row in range(3):
        for col in range(3):
            x, y = 24 + 28 * col, 66 + 28 * row
            body.append(_cell(x, y, 28, "ground"))
            body.append(label(x, y, "120120000"[3 * row + col]))
            body.append(_cell(454 + 24 * col, 70 + 24 * row, 24, "good-tint"))
    body += [_cell(24, 156, 28, "ground"), label(24, 156, "1")]
    body.append(label(44, 156, "X to move", anchor="start"))
    body.append(label(180, 20, "embedding"))
    for row in range(3):
        body.append(label(144, 66 + 28 * row, str(row), bold=True))
        for col in range(3):
            body.append(_cell(168 + 20 * col, 66 + 28 * row, 20, "second-tint"))
    body.append(label(188, 156, "3 for each"))
    for x in (290, 384):
        body.append(box(x, 94, 74, 84, "300\nneurons", fill="first-tint", stroke="first"))
    body += [arrow((98, 94), (130, 94)), arrow((222, 94), (251, 94)), label(236, 76, "30")]
    body += [arrow((328, 94), (345, 94)), arrow((422, 94), (440, 94))]
    return sheet(
        180,
        "".join(body),
        title="The network of deep Q-learning",
        description=(
            "Ten numbers, nine for the cells of a board and one for the player to move, are looked "
            "up in an embedding with three rows of three numbers. The thirty numbers go through "
            "two layers of 300 neurons to nine values, one for each square."
        ),
    )


def dqn() -> str:
    """Deep Q-learning: replay memory, online network, target network."""
    body = [
        titled(120, 44, 200, 56, "Self-play", "ε-greedy"),
        titled(400, 44, 200, 56, "Replay memory", "the last transitions"),
        arrow((221, 44), (299, 44)),
        label(260, 28, "s, a, r, s′"),
        titled(120, 172, 200, 56, "Network", "estimate Q(s, a)", fill="first-tint", stroke="first"),
        titled(400, 172, 200, 56, "Target network", "r + γ max Q(s′, a′)"),
        arrow((340, 73), (200, 143)),
        label(250, 92, "s, a", anchor="end"),
        arrow((400, 73), (400, 143)),
        label(412, 108, "r, s′", anchor="start"),
        arrow((60, 143), (60, 73)),
        label(48, 108, "acts", anchor="end"),
        arrow((200, 201), (200, 226), (320, 226), (320, 201), dash=True),
        label(282, 242, "copied now and then"),
        box(274, 296, 222, 34, "loss: target − estimate"),
        arrow((440, 201), (440, 296), (386, 296)),
        arrow((172, 201), (172, 278)),
        arrow((162, 296), (60, 296), (60, 201), colour="second"),
        label(68, 262, "gradient\nstep", anchor="start"),
    ]
    return sheet(
        326,
        "".join(body),
        title="Deep Q-learning with replay memory and target network",
        description=(
            "Self-play stores transitions s, a, r, s′ in a replay memory. A minibatch drawn from "
            "it goes two ways: the network estimates Q(s, a), the target network computes r plus γ"
            " times the best Q(s′, a′). The loss compares them, and its gradient changes the "
            "network alone; the target network is copied from it now and then."
        ),
    )


def convolution() -> str:
    """A filter of 3 x 3 slides over a plane of the board."""
    body, side = [], 32
    stones = {(1, 1), (1, 2), (2, 2), (3, 1)}
    for row in range(5):
        for col in range(5):
            x, y = 40 + side * col, 60 + side * row
            inside = 1 <= row <= 3 and 1 <= col <= 3
            body.append(_cell(x, y, side, "second-tint" if inside else "ground"))
            body.append(
                label(x, y, "1" if (row, col) in stones else "0", bold=(row, col) in stones)
            )
    filters = (("0", "1", "0"), ("1", "−4", "1"), ("0", "1", "0"))
    for row in range(3):
        for col in range(3):
            x, y = 256 + side * col, 92 + side * row
            body.append(_cell(x, y, side, "first-tint"))
            body.append(label(x, y, filters[row][col]))
    for row in range(5):
        for col in range(5):
            x, y = 388 + 26 * col, 72 + 26 * row
            chosen = (row, col) == (2, 2)
            body.append(_cell(x, y, 26, "good-tint" if chosen else "ground"))
            if chosen:
                body.append(label(x, y, "−3"))
    body += [
        label(104, 22, "plane: own stones"),
        label(288, 22, "filter"),
        label(440, 22, "new plane"),
        label(214, 124, "×", bold=True),
        arrow((338, 124), (370, 124)),
        label(
            260,
            236,
            "multiply nine pairs, add them up, slide on:\nthe same nine weights at every place",
        ),
    ]
    return sheet(
        266,
        "".join(body),
        title="A convolution",
        description=(
            "A plane of 5 by 5 numbers, 1 where an own stone stands. A filter of 3 by 3 weights "
            "lies on its middle: nine products are added, and the sum, −3, is one number of a new "
            "plane. The same nine weights are used at every place of the board."
        ),
    )


def _cell(x: float, y: float, side: float, fill: str) -> str:
    return tag(
        "rect",
        x=x - side / 2,
        y=y - side / 2,
        width=side,
        height=side,
        stroke_width=1,
        class_=f"f-{fill} s-edge",
    )


def two_heads() -> str:
    """A network with a policy head and a value head."""
    body = [titled(62, 110, 108, 76, "Board", "planes of\n0 and 1")]
    body.append(
        titled(
            216, 110, 116, 76, "Body", "layers that\nboth share", fill="first-tint", stroke="first"
        )
    )
    body += [
        arrow((117, 110), (157, 110)),
        arrow((275, 96), (316, 58)),
        arrow((275, 124), (316, 164)),
    ]
    body.append(titled(376, 52, 118, 60, "Policy head", "softmax"))
    body.append(titled(376, 170, 118, 60, "Value head", "tanh"))
    for k, tall in enumerate((8, 14, 40, 10, 22)):
        body.append(
            tag("rect", x=446 + 13 * k, y=72 - tall, width=10, height=tall, class_="f-second")
        )
    body.append(label(478, 92, "p(a | s)"))
    body.append(line((452, 170), (504, 170), colour="soft"))
    body.append(state(490, 170, r=6, fill="second", stroke="second"))
    body.append(label(450, 188, "−1", colour="soft") + label(503, 188, "+1", colour="soft"))
    body.append(label(478, 146, "v(s)"))
    return sheet(
        214,
        "".join(body),
        title="A network with two heads",
        description=(
            "The planes of the board go into a body of layers. Its output goes into two heads: the"
            " policy head answers with a probability for every move, the value head with one "
            "number from −1 to +1. Both train the body."
        ),
    )


def residual_block() -> str:
    """Two convolutions and a way past them."""
    body = [
        label(22, 116, "x"),
        arrow((34, 116), (82, 116)),
        box(124, 116, 80, 54, "conv\n3 × 3", fill="first-tint", stroke="first"),
        arrow((165, 116), (190, 116)),
        box(220, 116, 58, 54, "ReLU"),
        arrow((250, 116), (275, 116)),
        box(317, 116, 80, 54, "conv\n3 × 3", fill="first-tint", stroke="first"),
        arrow((358, 116), (384, 116)),
        state(400, 116, "+", r=15),
        arrow((416, 116), (436, 116)),
        box(464, 116, 54, 54, "ReLU"),
        arrow((58, 116), (58, 44), (400, 44), (400, 100), colour="second"),
        label(230, 28, "x passes unchanged"),
        brace(84, 357, 156, "f(x): learns only what is to be added"),
        arrow((492, 116), (514, 116)),
    ]
    return sheet(
        206,
        "".join(body),
        title="A residual block",
        description=(
            "The input x goes two ways. One leads through a convolution, a ReLU and a second "
            "convolution: f(x). The other leads past them unchanged. Both are added, and a ReLU "
            "follows: ReLU(x + f(x))."
        ),
    )
