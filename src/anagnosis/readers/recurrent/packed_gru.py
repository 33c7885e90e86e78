"""The loop behind `BiGRU` on a CPU: both directions at once, over positions packed time by time, without a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

ROWS = 512


@dataclass(frozen=True, slots=True)
class PackedOrder:
    """The order of positions without padding: time by time, longest rows first, as in packed sequences.

    forward, backward: int64 [N], place in [batch · T] of the t-th position of a row from its beginning and from
    its end. sizes: rows that are at least t + 1 long, for each t. previous: int64 [N − sizes[0]], packed place
    of the state before each one, for all but the first of each row.
    """

    forward: Tensor
    backward: Tensor
    sizes: list[int]
    previous: Tensor

    def blocks(self) -> list[tuple[int, int, list[int]]]:
        """(begin, end, sizes) of the loop's blocks of about ROWS positions."""
        blocks: list[tuple[int, int, list[int]]] = []
        begin = end = 0
        sizes: list[int] = []
        for size in self.sizes:
            sizes.append(size)
            end += size
            if end - begin >= ROWS:
                blocks.append((begin, end, sizes))
                begin, sizes = end, []
        return [*blocks, (begin, end, sizes)] if sizes else blocks


def packed_order(lengths: Tensor, longest: int) -> PackedOrder:
    rows = torch.argsort(lengths, descending=True, stable=True)  # [batch]
    sorted_lengths = lengths[rows]
    times = torch.arange(longest)
    real = times[:, None] < sorted_lengths  # [T, batch]
    time, place = real.nonzero(as_tuple=True)  # [N] each
    sizes = real.sum(1)
    begins = sizes.cumsum(0) - sizes
    later = time > 0
    begin = rows[place] * longest
    return PackedOrder(
        forward=begin + time,
        backward=begin + sorted_lengths[place] - 1 - time,
        sizes=[size for size in sizes.tolist() if size],
        previous=begins[time[later] - 1] + place[later],
    )


class PackedGRU(torch.autograd.Function):
    """Both directions in one loop over time, without a graph: the fast path on a CPU.

    The loop runs in blocks of ROWS positions. Computations that do not depend on the state (forward: the input
    projections; backward: the factors of a state's gradient, the gradients of weights and inputs) run once for each
    block, while it is in the cache. A step forward is two batched products [2, n, h] and six point-wise kernels,
    a step back one product and three.
    """

    @staticmethod
    def forward(
        ctx: Any, order: PackedOrder, kept: bool, inputs: Tensor, start: Tensor, *weights: Tensor
    ) -> Tensor:
        batch, longest, width = inputs.shape
        hidden = start.shape[2]
        rows = inputs.reshape(batch * longest, width)
        count = len(order.forward)
        read = inputs.new_zeros(2, count, _padded(width + 1))
        read[0, :, :width] = rows[order.forward]
        read[1, :, :width] = rows[order.backward]
        read[:, :, width] = 1  # for the biases
        w_ih, w_hh, b_n = _stacked(weights)
        w_in = w_ih.transpose(1, 2)
        w_rz = w_hh[:, : 2 * hidden].transpose(1, 2)
        w_n = w_hh[:, 2 * hidden :].transpose(1, 2)
        states = inputs.new_empty(2, count, hidden)  # [2, N, h]
        blocks = order.blocks()
        room = count if kept else max((end - begin for begin, end, _ in blocks), default=0)
        all_gates = inputs.new_empty(2, room, 3 * hidden)
        all_s_n = inputs.new_empty(2, room, hidden)  # W_hn s + b_hn
        state = start.expand(2, batch, hidden)
        for begin, end, sizes in blocks:
            place = slice(begin, end) if kept else slice(0, end - begin)
            gates, s_n, new = all_gates[:, place], all_s_n[:, place], states[:, begin:end]
            torch.bmm(read[:, begin:end], w_in, out=gates)
            for rz, n, r, z, from_state, after in zip(
                gates[:, :, : 2 * hidden].split(sizes, 1),
                gates[:, :, 2 * hidden :].split(sizes, 1),
                gates[:, :, :hidden].split(sizes, 1),
                gates[:, :, hidden : 2 * hidden].split(sizes, 1),
                s_n.split(sizes, 1),
                new.split(sizes, 1),
            ):
                before = state[:, : after.shape[1]]
                rz.baddbmm_(before, w_rz).sigmoid_()
                torch.baddbmm(b_n, before, w_n, out=from_state)
                n.addcmul_(r, from_state).sigmoid_().mul_(2).sub_(1)
                state = torch.lerp(n, before, z, out=after)
        out = states.new_zeros(batch * longest, 2 * hidden)
        out[order.forward, :hidden] = states[0]
        out[order.backward, hidden:] = states[1]
        if kept:
            ctx.save_for_backward(read, start, w_ih, w_hh, all_gates, states, all_s_n)
            ctx.order = order
            ctx.shape = (batch, longest, width)
        return out.view(batch, longest, 2 * hidden)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]  (the decorator)
        read, start, w_ih, w_hh, all_gates, states, all_s_n = ctx.saved_tensors
        order = cast(PackedOrder, ctx.order)
        batch, longest, width = ctx.shape
        hidden = states.shape[2]
        first = order.sizes[0] if order.sizes else 0
        grad = cast(Tensor, grads[0]).reshape(batch * longest, 2 * hidden)
        # A block's four factors have the order W_hn s, r, z, W_in x: the first three belong to the state before, the
        # last three to the input.
        w_back = torch.cat([w_hh[:, 2 * hidden :], w_hh[:, : 2 * hidden]], dim=1)  # [2, 3h, h]
        d_in = read.new_zeros(2, 4 * hidden, read.shape[2])
        d_hh = read.new_zeros(2, 3 * hidden, hidden)
        d_read = torch.empty_like(read)
        carried = read.new_zeros(2, batch, hidden)
        blocks = order.blocks()
        room = read.new_empty(2, max((end - begin for begin, end, _ in blocks), default=0), 4, hidden)
        half = read.new_full((), 0.5)
        for begin, end, sizes in reversed(blocks):
            size = end - begin
            place = slice(begin, end)
            above = torch.stack([grad[order.forward[place], :hidden], grad[order.backward[place], hidden:]])
            before = torch.cat(
                [
                    start.expand(2, max(0, min(end, first) - begin), hidden),
                    states[:, order.previous[max(0, begin - first) : max(0, end - first)]],
                ],
                dim=1,
            )
            r, z, n = all_gates[:, place].view(2, size, 3, hidden).unbind(2)
            factors = room[:, :size]
            s_n, of_r, of_z, x_n = factors.unbind(2)
            torch.addcmul(half, n, n, value=-0.5, out=x_n).addcmul_(x_n, z, value=-1)
            torch.mul(x_n, r, out=s_n)
            torch.mul(s_n, all_s_n[:, place], out=of_r).addcmul_(of_r, r, value=-1)
            torch.sub(before, n, out=of_z).mul_(z).addcmul_(of_z, z, value=-1)
            flat = factors.flatten(2)
            from_state, from_input = flat[:, :, : 3 * hidden], flat[:, :, hidden:]
            steps = zip(
                above.split(sizes, 1), factors.split(sizes, 1), from_state.split(sizes, 1), z.split(sizes, 1)
            )
            for of_state, factor, product, z_now in reversed(list(steps)):
                now = carried[:, : of_state.shape[1]]
                now.add_(of_state)
                torch.mul(factor, now[:, :, None], out=factor)
                now.mul_(z_now).baddbmm_(product, w_back)
            d_hh.baddbmm_(from_state.transpose(1, 2), before)
            d_in.baddbmm_(flat.transpose(1, 2), read[:, place])
            torch.bmm(from_input, w_ih, out=d_read[:, place])
        d_in[:, :hidden] *= 2
        d_in[:, 3 * hidden :] *= 2
        d_hh[:, :hidden] *= 2
        d_ih = d_in[:, hidden:, :width]
        db_ih = d_in[:, hidden:, width]
        d_hh = torch.cat([d_hh[:, hidden:], d_hh[:, :hidden]], dim=1)
        db_hh = torch.cat([db_ih[:, : 2 * hidden], d_in[:, :hidden, width]], dim=1)
        d_inputs = read.new_zeros(batch * longest, width)
        d_inputs[order.forward] = d_read[0, :, :width]
        turned = torch.zeros_like(d_inputs)
        turned[order.backward] = d_read[1, :, :width]
        d_inputs = d_inputs.add_(turned).view(batch, longest, width)
        d_start = carried.sum(1, keepdim=True)
        weights = [g for k in range(2) for g in (d_ih[k], d_hh[k], db_ih[k], db_hh[k])]
        return (None, None, d_inputs, d_start, *weights)


def _padded(width: int) -> int:
    """The width of the inputs in the products: BLAS takes twice as long at 31 columns as at 32."""
    return -(-width // 16) * 16


def _stacked(weights: tuple[Tensor, ...]) -> tuple[Tensor, Tensor, Tensor]:
    """W_ih [2, 3h, d and more], W_hh [2, 3h, h] and b_hn [2, 1, h] of both directions.

    Column d of W_ih has the biases that are only added, followed by zeros. Weights of n are doubled, since
    tanh(x) = 2σ(2x) − 1 and σ is several times faster.
    """
    width, hidden = weights[0].shape[1], weights[1].shape[1]
    double = weights[0].new_ones(3 * hidden, 1)
    double[2 * hidden :] = 2
    of_state = torch.stack([weights[3], weights[7]])  # [2, 3h]
    w_ih = weights[0].new_zeros(2, 3 * hidden, _padded(width + 1))
    w_ih[:, :, :width] = torch.stack([weights[0], weights[4]])
    w_ih[:, :, width] = torch.stack([weights[2], weights[6]])
    w_ih[:, : 2 * hidden, width] += of_state[:, : 2 * hidden]
    w_hh = torch.stack([weights[1], weights[5]]) * double
    return w_ih * double, w_hh, 2 * of_state[:, None, 2 * hidden :]
