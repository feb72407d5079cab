"""Shared by the training of all nets: layers, the training loop, and the export as ONNX."""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from vision.training.batches import Batches

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""A net's answers and the truth to one number."""


def layer(i: int, o: int, stride: int, kernel: int = 3) -> nn.Sequential:
    """A convolution that halves (`stride` 2) or keeps the size, from `i` planes to `o`."""
    convolution = nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(o), nn.ReLU(inplace=True))


_CAN = getattr(torch.cpu, "get_capabilities", dict)()
HALF = bool(_CAN.get("avx512_bf16") or _CAN.get("amx_bf16"))
"""Whether a processor computes in bfloat16: half the time where it has it, two and a half to six times as long
elsewhere, on one with AVX-512 alone, too. Older versions of torch do not say, and compute in float32. A GPU always
does."""


class Stay(nn.Module):
    """A residual layer: its input plus the inner layer's output."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = x + self.inner(x)
        return out


def learn(
    net: nn.Module,
    loss_of: Loss,
    batches: Batches,
    rate: float,
    decay: float,
    keep: Path,
    steady: float = 0.998,
) -> nn.Module:
    """Train the net on all batches; returns the running mean of its weights, which is steadier than the last ones.

    The net is computed on a GPU where there is one, and given back on the processor. `steady` is the share of the
    running mean that each step keeps; a short run needs a smaller one.
    Prints step, loss and seconds every 250 steps and at the end, and saves the mean weights of then in `keep` (.pt).
    """
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    adam = torch.optim.AdamW(net.parameters(), rate, weight_decay=decay)
    plan = torch.optim.lr_scheduler.OneCycleLR(adam, rate, batches.count, pct_start=0.1)
    mean_net = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(steady), use_buffers=True)
    start, mean = time.time(), 0.0
    for step in range(1, batches.count + 1):
        x, y = (one.to(device, non_blocking=True) for one in batches.get())
        with torch.autocast(device, torch.bfloat16, enabled=HALF or device == "cuda"):
            out = net(x.to(memory_format=torch.channels_last))
        loss = loss_of(out.float(), y)
        adam.zero_grad()
        loss.backward()
        adam.step()
        plan.step()
        mean_net.update_parameters(net)
        mean = 0.98 * mean + 0.02 * loss.item()
        if step % 250 == 0 or step == batches.count:
            print(step, round(mean, 4), round(time.time() - start), flush=True)
            torch.save(mean_net.module.state_dict(), keep)
    return mean_net.module.to("cpu")


def training_parser(
    description: str | None, *, steps: int, batch: int, rate: float, seed: int
) -> argparse.ArgumentParser:
    """The arguments of a training: where its data are, where the net goes, what it goes on from; and their defaults."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--seed", type=int, default=seed)
    return parser


def begin_from(net: nn.Module, model: Path, pictures: torch.Tensor) -> None:
    """Give the net the weights of an exported one, whose norms were folded into its convolutions.

    The norms are taken from how these pictures (N, …) fill each layer, so that the answers stay the same.

    Args:
        net: of the same make; its folded layers are those made by `layer`, or of that form.
        model: the exported net (.onnx).
        pictures: inputs of the net.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(model)).graph
    known = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    own = net.state_dict()
    net.load_state_dict({name: weight for name, weight in known.items() if name in own}, strict=False)
    folded = _with_norms(net)
    net.eval()
    for node in graph.node:
        if node.op_type != "Conv" or node.input[1] in own:
            continue
        convolution, norm = next(folded)
        convolution.load_state_dict({"weight": known[node.input[1]]})
        seen: list[torch.Tensor] = []
        hook = convolution.register_forward_hook(lambda _, __, out, seen=seen: seen.append(out))
        with torch.no_grad():
            net(pictures)
            hook.remove()
            variance, mean = torch.var_mean(seen[0], (0, 2, 3), correction=0)
            norm.running_mean, norm.running_var = mean.clone(), variance.clone()
            norm.weight.copy_(torch.sqrt(variance + norm.eps))
            norm.bias.copy_(known[node.input[2]] + mean)
    net.train()


def _with_norms(net: nn.Module) -> Iterator[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """The convolutions that a norm follows, in the order in which they are run."""
    for part in net.modules():
        if isinstance(part, nn.Sequential):
            for one, after in pairwise(part):
                if isinstance(one, nn.Conv2d) and isinstance(after, nn.BatchNorm2d):
                    yield one, after


def export_onnx(net: nn.Module, path: Path, example: torch.Tensor, free: dict[int, str]) -> None:
    """Write the net as ONNX; `free` names the input's axes of variable length."""
    net.eval()
    torch.onnx.export(
        net, (example,), str(path), opset_version=13, dynamo=False,
        input_names=["picture"], output_names=["found"], dynamic_axes={"picture": free},
    )  # fmt: skip
