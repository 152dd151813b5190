// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/canvas_fixture.h"

namespace cw::test {

Node node(const char* id, const char* name, const char* part, std::int64_t count) {
    Node n;
    n.id = NodeId(id);
    n.name = name;
    n.part = PartId(part);
    n.count = count;
    return n;
}

Project canvasProject() {
    Project project;
    Alternative alternative;
    alternative.id = a;
    alternative.name = "A";
    const auto add = [&](Node n, double x, double y) {
        ItemView view;
        view.x = x;
        view.y = y;
        project.view.items[viewKey(a, n.id.value)] = view;
        alternative.nodes.push_back(std::move(n));
    };
    add(node("dgx", "DGX one", "dgx_h100", 4), 0, 300);
    add(node("dgx2", "DGX two", "dgx_h100", 4), 400, 300);
    add(node("leaf", "Leaf", "qm9700", 2), 0, 0);
    add(node("spine", "Spine", "qm9700", 2), 400, 0);
    Link link;
    link.id = LinkId("l");
    link.from = NodeId("dgx");
    link.to = NodeId("leaf");
    link.medium = PartId("ib_ndr");
    alternative.links.push_back(link);
    Frame frame;
    frame.id = FrameId("pod");
    frame.name = "Pod";
    alternative.frames.push_back(frame);
    ItemView view;
    view.x = 370;
    view.y = 250;
    view.width = 260;
    view.height = 150;
    project.view.items[viewKey(a, "pod")] = view;
    alternative.nodes[1].frame = frame.id;
    project.alternatives.push_back(std::move(alternative));
    return project;
}

} // namespace cw::test
