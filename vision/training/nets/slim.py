"""Trains the slim nets from the wide ones: six tenths of the time at almost the same accuracy.

    python -m vision.training.nets.slim finder --data DIR --wide finder.pt --out finder.onnx
    python -m vision.training.nets.slim faces --data DIR --wide faces.pt --out faces.onnx --finder finder.onnx

A slim net starts as a part of the wide one: its most important layers and planes. It learns from the same truth, and
from the wide net's answers to the same picture (Hinton et al., “Distilling the Knowledge in a Neural Network”, 2015),
which also express doubt. The reading net is trained on real dice on boards as well (`samples/pasted.py`).
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.dice.faces import PipReader
from vision.dice.finder import Finder as SpotFinder
from vision.training.batches import Batches, Drawn, single_threads
from vision.training.learn import HALF, export_onnx, learn
from vision.training.nets import faces, finder

LOGITS = 13
"""Number of the reading net's first answers, which are logits."""
SURE = 8.0
"""Logits are cut to this: larger ones carry no more information."""


def slim_faces(wide: faces.Faces) -> faces.Faces:
    """The wide net without each group's second residual layer, and with the most used planes of the second layer."""
    slim = faces.Faces(slim=True)
    kept = _most_used(wide, slim)
    state = slim.state_dict()
    for name, value in wide.state_dict().items():
        name = _slim_name(name)
        if name.startswith("body.1.") and value.dim():
            value = value[kept]
        if name == "body.2.0.weight":
            value = value[:, kept]
        if name in state:
            state[name] = value
    slim.load_state_dict(state)
    return slim


def slim_finder(wide: finder.Finder) -> finder.Finder:
    """The wide net with a new layer in place of its first two."""
    slim = finder.Finder(slim=True)
    places = {k + 1: k for k in range(1, len(slim.net))}
    state = slim.state_dict()
    for name, value in wide.state_dict().items():
        room, place, *rest = name.split(".")
        if int(place) in places:
            state[".".join([room, str(places[int(place)]), *rest])] = value
    slim.load_state_dict(state)
    return slim


def _most_used(wide: faces.Faces, slim: faces.Faces) -> torch.Tensor:
    """Indices of the second layer's planes with the largest weights in the third, as many as the slim net has."""
    third = wide.body[2][0].weight  # type: ignore[index]
    loud = wide.body[1][1].weight.abs()  # type: ignore[index]
    count = slim.body[1][0].out_channels  # type: ignore[index]
    used = third.abs().sum((0, 2, 3)) * loud
    return torch.sort(torch.topk(used, count).indices).values


def _slim_name(name: str) -> str:
    """The name of a wide net's weight in the slim one; "" for the second residual layers, which it lacks."""
    room, *rest = name.split(".")
    if room != "body" or int(rest[0]) < 2:
        return name
    group, place = divmod(int(rest[0]) - 2, 3)
    return "" if place == 2 else ".".join([room, str(2 + 2 * group + place), *rest[1:]])


def faces_loss(out: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The truth's loss plus the distance of the answers (N, 18) from the wide net's, which follow the truth in `y`.

    Wrong answers of the wide net are left out.
    """
    truth, taught = y[:, : faces.TRUTHS], y[:, faces.TRUTHS :]
    right = _is_right(taught, truth)
    out_right, taught = out[right], taught[right]
    sure = functional.smooth_l1_loss(_cut(out_right[:, :LOGITS]), _cut(taught[:, :LOGITS]))
    where = functional.smooth_l1_loss(out_right[:, LOGITS:], taught[:, LOGITS:], beta=0.05)
    return faces.loss_of(out, truth) + 2 * sure + 10 * where


def _is_right(answers: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Mask (N,) of the answers (N, 18) that agree with all of the known truth (N, 10)."""
    die, value, leaning, support, readable = truth[:, :5].T
    right = (answers[:, 0] > 0) == (die > 0.5)
    for column, known in ((7, leaning), (12, readable)):
        right &= (known < 0) | ((answers[:, column] > 0) == (known > 0.5))
    for first, last, known in ((1, 7, value), (8, 12, support)):
        right &= (known < 0) | (answers[:, first:last].argmax(1) == known)
    return right


def finder_loss(out: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """The truth's loss plus the distance of the answers from the wide net's, weighted by the wide net's finds."""
    found = finder.answers(out)
    truth, taught = target[:, : finder.TARGETS], target[:, finder.TARGETS :]
    there = torch.sigmoid(taught[:, :1])
    heat = functional.smooth_l1_loss(_cut(found[:, :1]), _cut(taught[:, :1]), reduction="none")
    where = functional.smooth_l1_loss(found[:, 1:], taught[:, 1:], beta=0.05, reduction="none")
    emphasis = 0.01 + there
    distance = ((heat + where.sum(1, keepdim=True)) * emphasis).sum() / emphasis.sum()
    return finder.loss_of(found, truth) + 2 * distance


def _cut(logits: torch.Tensor) -> torch.Tensor:
    return logits.clamp(-SURE, SURE)


def main() -> None:
    """Train and export the net; prints the loss every 250 steps."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("net", choices=["faces", "finder"])
    parser.add_argument("--data", type=Path, required=True, help="holds scenes/, boards/ and photos/")
    parser.add_argument(
        "--wide", type=Path, required=True, help="the wide net's weights (.pt), its .onnx beside them"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--finder", type=Path, help="a finding net whose mistakes are shown as empties to faces"
    )
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--resume", type=Path, help="a slim net's weights to go on from")
    args = parser.parse_args()
    torch.manual_seed(17)
    single_threads()
    keep = args.out.with_suffix(".pt")
    if args.net == "faces":
        wide = faces.Faces()
        wide.load_state_dict(torch.load(args.wide))
        net = SpotFinder(args.finder) if args.finder else None
        pools = faces.read_pools(
            args.data, net, np.random.default_rng(11), PipReader(args.wide.with_suffix(".onnx"))
        )
        batches = Batches(taught(wide, faces.drawing(faces.grouped(pools), faces.draw, 128)), args.steps)
        slim = slim_faces(wide)
        if args.resume:
            slim.load_state_dict(torch.load(args.resume))
        learned = learn(slim, faces_loss, batches, args.rate, 2e-3, keep)
        export_onnx(learned, args.out, torch.zeros(1, 9, faces.FACE_PATCH, faces.FACE_PATCH), {0: "n"})
    else:
        whole = finder.Finder()
        whole.load_state_dict(torch.load(args.wide))
        answering = nn.Sequential(whole, nn.PixelShuffle(2))
        batches = Batches(taught(answering, finder.drawing(args.data)), args.steps)
        learned = learn(slim_finder(whole), finder_loss, batches, args.rate, 1e-4, keep)
        export_onnx(learned, args.out, torch.zeros(1, 3, 256, 256), {2: "h", 3: "w"})


def taught(
    wide: nn.Module, drawing: Callable[[np.random.Generator], list[Drawn]]
) -> Callable[[np.random.Generator], list[Drawn]]:
    """`drawing` with the wide net's answers appended to each truth."""
    wide.eval()

    def draw(rng: np.random.Generator) -> list[Drawn]:
        drawn = drawing(rng)
        shown = torch.from_numpy(np.stack([x for x, _ in drawn])).contiguous(
            memory_format=torch.channels_last
        )
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=HALF):
            answers = wide(shown).float().numpy()
        return [(x, np.concatenate([y, a])) for (x, y), a in zip(drawn, answers, strict=True)]

    return draw


if __name__ == "__main__":
    main()
