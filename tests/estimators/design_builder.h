// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small designs for estimator tests, built in a line each. Owned by the test; a Scene keeps project, catalog and resolved design alive.
#pragma once

#include "estimators/base/resolved.h"
#include "estimators/network/fabric.h"
#include "model/catalog/catalog.h"
#include "model/design/project.h"

#include <memory>
#include <string>

namespace cw::test {

class Scene {
public:
    Scene() { m_project.alternatives.emplace_back(); }

    std::uint32_t node(const char* id, const char* part, std::int64_t count, const char* frame = "") {
        Node node;
        node.id = NodeId(id);
        node.name = id;
        node.part = PartId(part);
        node.count = count;
        node.frame = FrameId(frame);
        alternative().nodes.push_back(node);
        return static_cast<std::uint32_t>(alternative().nodes.size() - 1);
    }
    std::uint32_t link(const char* from, const char* to, const char* medium, Pattern pattern, int lanes,
                       std::vector<int> dimensions = {}) {
        Link link;
        link.id = LinkId("link" + std::to_string(alternative().links.size()));
        link.from = NodeId(from);
        link.to = NodeId(to);
        link.medium = PartId(medium);
        link.pattern = pattern;
        link.lanes = lanes;
        link.dimensions = std::move(dimensions);
        alternative().links.push_back(link);
        return static_cast<std::uint32_t>(alternative().links.size() - 1);
    }
    void frame(const char* id, FrameKind kind) {
        Frame frame;
        frame.id = FrameId(id);
        frame.name = id;
        frame.kind = kind;
        alternative().frames.push_back(frame);
    }

    Project& project() { return m_project; }
    Alternative& alternative() { return m_project.alternatives.front(); }
    const Catalog& catalog() const { return shippedCatalog(); }
    /// The network of the design as it is now; earlier references die.
    const Fabric& fabric() {
        m_fabric.reset();
        m_design = std::make_unique<ResolvedDesign>(resolve(m_project, alternative(), catalog()));
        m_fabric = std::make_unique<Fabric>(*m_design);
        return *m_fabric;
    }
    const ResolvedDesign& design() const { return *m_design; }

private:
    Project m_project;
    std::unique_ptr<ResolvedDesign> m_design;
    std::unique_ptr<Fabric> m_fabric;
};

} // namespace cw::test
