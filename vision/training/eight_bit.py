"""Makes of learned nets nets of eight-bit numbers, which onnxruntime runs in half the time.

    python -m vision.training.eight_bit NET ... --out DIR --seeds 60001-60060 --rendered DIR

A layer's inputs are scaled to eight bits by the least and the greatest that come up while the program reads pictures:
painted boards with dice, painted boards with checkers, and the renderer's boards without the palettes held out, each
with the board given, found and, of painted ones, not looked for. The layers that see the picture and those that give
the answer stay as they were. Weights are scaled channel by channel, to seven bits: with eight the sum of two products
overflows on processors that add them up in sixteen (docs/adr/0087-nets-of-eight-bit-numbers.md).
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime import quantization
from onnxruntime.quantization.shape_inference import quant_pre_process

from vision import net
from vision.board.calibration import Board
from vision.board.findboard import BoardFinder, board_from_points
from vision.checkers.reader import CheckerReader
from vision.dice.reader import Reader
from vision.errors import BadBoard
from vision.frame import Bgr
from vision.training.checkers.quadrants import SIZES, family_of, is_held_out, rendered_board
from vision.training.painted.checkers import paint_board
from vision.training.painted.throws import painted_board

KEPT = 200
"""Inputs of a net that are kept, drawn from all that come up."""
LAYERS = ("Conv", "Gemm", "ConvTranspose")
Inputs = list[NDArray[np.float32]]


class Recorder:
    """Keeps some of the inputs of each net, drawn evenly from all."""

    def __init__(self, seed: int) -> None:
        self.inputs: dict[str, Inputs] = defaultdict(list)
        self._counts: dict[str, int] = defaultdict(int)
        self._rngs: dict[str, np.random.Generator] = defaultdict(lambda: np.random.default_rng(seed))
        self._run = net.by_onnxruntime

    def load(self, model: Path) -> net.Net:
        """The net of a file, whose inputs are recorded."""
        run = self._run(model)

        def recorded(picture: NDArray[np.float32]) -> NDArray[np.float32]:
            self._keep(model.stem, picture)
            return run(picture)

        return recorded

    def _keep(self, name: str, picture: NDArray[np.float32]) -> None:
        kept, self._counts[name] = self.inputs[name], self._counts[name] + 1
        if len(kept) < KEPT:
            kept.append(picture.copy())
        elif (at := int(self._rngs[name].integers(self._counts[name]))) < KEPT:
            kept[at] = picture.copy()


class _Calibration(quantization.CalibrationDataReader):
    def __init__(self, name: str, inputs: Inputs) -> None:
        self._rest = iter([{name: one} for one in inputs])

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        return next(self._rest, None)


def painted(seeds: range) -> Iterator[tuple[Bgr, Board | None]]:
    """Painted boards with dice and with checkers; None where the outline of the first is no board's."""
    for seed in seeds:
        sample, marks = painted_board(seed)
        h, w = sample.image.shape[:2]
        try:
            yield sample.image, board_from_points((w, h), marks)
        except BadBoard:
            yield sample.image, None
        rng = np.random.default_rng(seed)
        made = paint_board(rng, SIZES[int(rng.integers(len(SIZES)))], False, ornate=seed % 2 == 0)
        yield made.picture, made.board


def rendered(folders: Sequence[Path]) -> Iterator[tuple[Bgr, Board]]:
    """The renderer's boards in some folders, without the palettes held out."""
    for path in (path for folder in folders for path in sorted(folder.glob("*.json"))):
        known, bgr = json.loads(path.read_text("utf-8")), cv2.imread(str(path.with_suffix(".jpg")))
        if bgr is not None and not is_held_out(family_of(known)):
            yield np.asarray(bgr, np.uint8), rendered_board(known)


def record(seeds: range, folders: Sequence[Path]) -> dict[str, Inputs]:
    """What each net is given while the pictures are read."""
    recorder = Recorder(seeds[0])
    with patch.object(net, "by_onnxruntime", recorder.load), patch.object(net, "EIGHT_BIT", "none"):
        finder, dice, checkers = BoardFinder(), Reader(), CheckerReader()
        for bgr, board in painted(seeds):
            dice.read(bgr, None)
            _read(bgr, (board, finder.find(bgr)), dice, checkers)
        for bgr, given in rendered(folders):
            _read(bgr, (given, finder.find(bgr)), dice, checkers)
    return recorder.inputs


def _read(bgr: Bgr, boards: Sequence[Board | None], dice: Reader, checkers: CheckerReader) -> None:
    for board in boards:
        if board is not None:
            dice.read(bgr, board)
            checkers.read(bgr, board)


def outermost(graph: onnx.GraphProto) -> list[str]:
    """Names of the layers that are given the net's input, and of those that no other layer follows."""
    makers = {output: node for node in graph.node for output in node.output}
    sees = {graph.input[0].name}
    followed, first = set(), []
    for node in graph.node:
        if node.op_type in LAYERS:
            followed |= {before.name for before in _layers_before(node.input[0], makers)}
            if node.input[0] in sees:
                first.append(node.name)
        elif node.op_type in ("Slice", "Mul", "Sub", "Add") and any(one in sees for one in node.input):
            sees |= set(node.output)
    return [*first, *(n.name for n in graph.node if n.op_type in LAYERS and n.name not in followed)]


def _layers_before(name: str, makers: dict[str, onnx.NodeProto]) -> list[onnx.NodeProto]:
    """The layers nearest before a value."""
    node = makers.get(name)
    if node is None:
        return []
    if node.op_type in LAYERS:
        return [node]
    return [layer for one in node.input for layer in _layers_before(one, makers)]


def make(model: Path, out: Path, inputs: Inputs) -> None:
    """Write the net of eight-bit numbers of a net."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / model.name
        quant_pre_process(str(model), str(prepared))
        graph = onnx.load(prepared).graph
        quantization.quantize_static(
            str(prepared), str(out), _Calibration(graph.input[0].name, inputs),
            quant_format=quantization.QuantFormat.QDQ, per_channel=True, reduce_range=True,
            activation_type=quantization.QuantType.QUInt8, weight_type=quantization.QuantType.QInt8,
            op_types_to_quantize=["Conv", "Add", "Relu"], nodes_to_exclude=outermost(graph),
        )  # fmt: skip


def main() -> None:
    """Record what the nets are given and make them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("nets", type=Path, nargs="+", metavar="NET", help="learned nets (.onnx)")
    parser.add_argument("--out", type=Path, required=True, help="folder for those of eight-bit numbers")
    parser.add_argument("--seeds", default="60001-60060", help="of painted boards")
    parser.add_argument(
        "--rendered", type=Path, nargs="*", default=[], help="folders of the renderer's boards"
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    first, last = (int(v) for v in args.seeds.split("-"))
    inputs = record(range(first, last + 1), args.rendered)
    args.out.mkdir(parents=True, exist_ok=True)
    for model in args.nets:
        make(model, args.out / model.name, inputs[model.stem])
        print(model.stem, len(inputs[model.stem]), "inputs", flush=True)


if __name__ == "__main__":
    main()
