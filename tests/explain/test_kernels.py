"""Reading what Inductor writes down."""

from __future__ import annotations

import json
from pathlib import Path

from nprewrite.explaining.kernels import traced
from nprewrite.explaining.running import CodeLine

CODE = """\
import torch
cpp_fused_add_0 = async_compile.cpp_pybinding(['const float*', 'float*'], r'''
#include <prefix.h>
void kernel()
{
    auto tmp0 = in_ptr0[x0]; // explained at line 4
    auto tmp1 = tmp0 * tmp0; // explained at line 4
    auto tmp2 = tmp1 + tmp0; // explained at line 5
    auto tmp3 = tmp2.to<int32_t,1>();
    tmp3.store(out_ptr0 + x0);
}
''')
extern_kernels.mm(buf0, arg1_1, out=buf1)
"""

GRAPH = """\
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8]"):
        # File: /home/me/a.py:4 in step, code: y = x * x
        mul: "f32[8]" = torch.ops.aten.mul.Tensor(arg0_1, arg0_1)

        # File: /home/me/runtime.py:60 in chunk, code: target.copy_(value)
        copy: "f32[8]" = torch.ops.aten.copy_.default(arg0_1, mul)

        # File: /home/me/a.py:7 in step, code: z = y @ w
        mm: "f32[8]" = torch.ops.aten.mm.default(mul, mul)
"""


def write(folder: Path, mapping: object = None) -> None:
    (folder / "output_code.py").write_text(CODE)
    (folder / "fx_graph_transformed.py").write_text(GRAPH)
    (folder / "ir_pre_fusion.txt").write_text(
        "op0: SchedulerNode(x)\n\nop1: SchedulerNode(x)\nop2: ExternKernel(y)\n"
    )
    (folder / "ir_post_fusion.txt").write_text(
        "op0_op1: FusedSchedulerNode(x)\nop0_op1.snodes[0] =\nop0: SchedulerNode(x)\nop1: SchedulerNode(x)\n"
        "op2: ExternKernel(y)\n"
    )
    if mapping is not None:
        path = folder / "inductor_provenance_tracking_node_mappings.json"
        path.write_text(json.dumps({"cppCodeToPost": mapping}))


def test_kernels_and_their_lines(tmp_path: Path) -> None:
    write(tmp_path, {"cpp_fused_add_0:1": ["mul", "copy"], "extern_kernels.mm:2": ["mm"]})
    fused, product = traced(tmp_path, {"/home/me/a.py"}).kernels
    assert (fused.name, fused.lines) == ("cpp_fused_add_0", (4, 5))
    assert (product.name, product.lines, product.code) == ("extern_kernels.mm", (7,), ())


def test_statements_and_their_lines(tmp_path: Path) -> None:
    write(tmp_path)
    (kernel,) = traced(tmp_path, {"/home/me/a.py"}).kernels
    assert kernel.code[0] == CodeLine("#include <prefix.h>", None)
    assert kernel.code[4] == CodeLine("    auto tmp1 = tmp0 * tmp0;", 4)
    assert kernel.code[5] == CodeLine("    auto tmp2 = tmp1 + tmp0;", 5)
    assert kernel.code[6] == CodeLine("    auto tmp3 = tmp2.to<int32_t,1>();", 5)
    assert kernel.code[7] == CodeLine("    tmp3.store(out_ptr0 + x0);", 5)


SUM = """\
cpp_fused_sum_0 = async_compile.cpp_pybinding(['float*'], r'''
    double tmp_acc0 = 0;
    at::vec::VectorizedN<double,2> tmp_acc0_vec = at::vec::VectorizedN<double,2>(0);
    auto tmp0 = in_ptr0[x0]; // explained at line 4
    tmp_acc0_vec = tmp_acc0_vec + tmp0;
    tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<double, 2>(tmp_acc0_vec);
    out_ptr0[x0] = static_cast<double>(tmp_acc0);
    double tmp_acc0 = 0;
    out_ptr1[x0] = tmp_acc0;
''')
"""


def test_sums_have_the_line_of_what_is_summed(tmp_path: Path) -> None:
    (tmp_path / "output_code.py").write_text(SUM)
    (kernel,) = traced(tmp_path, set()).kernels
    assert [each.line for each in kernel.code] == [None, None, 4, 4, 4, 4, None, None]


def test_operations_that_are_fused_count_once(tmp_path: Path) -> None:
    write(tmp_path)
    found = traced(tmp_path, set())
    assert found.operations == ("op0", "op1", "op2")
    assert found.fused == ("op0_op1", "op2")


def test_an_empty_folder_says_nothing(tmp_path: Path) -> None:
    found = traced(tmp_path, set())
    assert (found.kernels, found.operations, found.fused) == ((), (), ())
