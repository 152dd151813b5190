// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames: known, and not around themselves.
#include "model/checks/report.h"

#include <unordered_map>
#include <unordered_set>

namespace cw {
namespace {

template <class Element, class Member>
void unknownFrame(Report& report, const std::unordered_map<FrameId, const Frame*>& frames, const Element& element, Member frame,
                  const std::string& name) {
    const FrameId& id = element.*frame;
    if (id.empty() || frames.count(id))
        return;
    Finding& finding =
        report.add(Severity::warning, "frame.unknown", {report.ref(element)}, {{"name", name}, {"frame", id.value}});
    Element after = element;
    after.*frame = FrameId();
    report.offer(finding, "frame.clear", report.ref(element), element, after);
}

void cycles(Report& report, const std::unordered_map<FrameId, const Frame*>& frames) {
    std::unordered_set<FrameId> settled;
    for (const Frame& start : report.alternative.frames) {
        std::vector<const Frame*> way;
        std::unordered_set<FrameId> onWay;
        const Frame* at = &start;
        while (at && !settled.count(at->id) && onWay.insert(at->id).second) {
            way.push_back(at);
            const auto parent = frames.find(at->parent);
            at = parent == frames.end() ? nullptr : parent->second;
        }
        if (at && onWay.count(at->id)) { // came back to a frame of this very way
            std::vector<ElementRef> round;
            std::string names;
            for (std::size_t back = way.size(); back-- > 0;) {
                round.push_back(report.ref(*way[back]));
                names = way[back]->name + (names.empty() ? "" : ", " + names);
                if (way[back] == at)
                    break;
            }
            Finding& finding = report.add(Severity::error, "frame.cycle", std::move(round), {{"frames", names}});
            Frame after = *at;
            after.parent = FrameId();
            report.offer(finding, "frame.take_out", report.ref(*at), *at, after);
        }
        settled.insert(onWay.begin(), onWay.end());
    }
}

} // namespace

void checkFrames(Report& report) {
    std::unordered_map<FrameId, const Frame*> frames;
    for (const Frame& frame : report.alternative.frames)
        frames.emplace(frame.id, &frame);
    for (const Node& node : report.alternative.nodes)
        unknownFrame(report, frames, node, &Node::frame, node.name);
    for (const Rack& rack : report.alternative.racks)
        unknownFrame(report, frames, rack, &Rack::frame, rack.name);
    for (const Frame& frame : report.alternative.frames)
        unknownFrame(report, frames, frame, &Frame::parent, frame.name);
    cycles(report, frames);
}

} // namespace cw
