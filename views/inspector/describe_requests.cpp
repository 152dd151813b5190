// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe_workload.h"

#include "model/document/document.h"
#include "views/text/names.h"
#include "views/text/quantity_text.h"

namespace cw {

namespace {

bool answersRequests(const WorkloadSpec& spec) {
    return std::holds_alternative<LlmServing>(spec) || std::holds_alternative<BatchInference>(spec) || std::holds_alternative<Service>(spec)
        || std::holds_alternative<Stream>(spec) || std::holds_alternative<Pipeline>(spec);
}

} // namespace

/// How requests come and who takes them. Of a pipeline only how they come: its stages' own workloads have balancers.
void WorkloadDescriber::requests() {
    if (!answersRequests(m_workload.spec))
        return;
    const RequestFlow& flow = m_workload.flow;
    FormSection& own = section("requests", tr("Requests"), flow != RequestFlow());
    auto& fields = own.fields;
    if (!std::holds_alternative<Pipeline>(m_workload.spec)) {
        const std::vector<Choice> routings{
            choiceOf(Routing::random, routingName(Routing::random), tr("Without a look at their queues.")),
            choiceOf(Routing::roundRobin, routingName(Routing::roundRobin), tr("One after the other.")),
            choiceOf(Routing::leastWork, routingName(Routing::leastWork), tr("The one with the least work of all.")),
            choiceOf(Routing::powerOfTwo, routingName(Routing::powerOfTwo), tr("The one with less work of two at random."))};
        fields.push_back(bind(m_selected,
                              {.key = "routing",
                               .label = tr("Routing"),
                               .help = tr("How a balancer picks one of equal replicas or machines for a request."),
                               .kind = FieldKind::choice,
                               .choices = routings},
                              [](auto& w) -> auto& { return w.flow.routing; }));
        fields.push_back(bind(m_selected,
                              {.key = "failuresEvery",
                               .label = tr("Replica fails every"),
                               .help = tr("On average. What it held starts again elsewhere; the others carry its share until it is back. A trial: "
                                          "machines fail so rarely that a run sees none, so it also says what remains while one is broken."),
                               .kind = FieldKind::number,
                               .unit = Unit::seconds,
                               .low = 1e-3,
                               .high = 1e10,
                               .unset = tr("not simulated")},
                              [](auto& w) -> auto& { return w.flow.failuresEvery; }));
        if (flow.failuresEvery)
            fields.push_back(bind(m_selected,
                                  {.key = "repair", .label = tr("… back after"), .kind = FieldKind::number, .unit = Unit::seconds, .low = 1e-3, .high = 1e10},
                                  [](auto& w) -> auto& { return w.flow.repair; }));
    }
    fields.push_back(bind(m_selected,
                          {.key = "arrivalCv",
                           .label = tr("Burstiness"),
                           .help = tr("Coefficient of variation of the time between arrivals: 1 as at random, more in bursts, 0 like clockwork."),
                           .kind = FieldKind::number,
                           .unit = Unit::one,
                           .low = 0,
                           .high = 20},
                          [](auto& w) -> auto& { return w.flow.arrivalCv; }));
    if (!flow.recorded)
        return;
    const RecordedRequests& record = *flow.recorded;
    fields.push_back(figure("recorded", tr("Recorded"),
                            tr("%1 requests over %2").arg(quantityText(static_cast<double>(record.at.size()), Unit::count),
                                                          quantityText(record.at.back() - record.at.front(), Unit::seconds))));
    fields.back().spec.help = tr("The simulation replays them at the rate and mean lengths given here.");
    own.actions.push_back({"forget", tr("Forget the recording"), tr("Arrivals and lengths are drawn at random again."),
                           [actions = &m_context.actions, refs = m_selected.refs, name = tr("Forget the recording of %1").arg(m_selected.what)] {
                               const auto change = [](Element& element) { std::get<Workload>(element).flow.recorded.reset(); };
                               if (const Expected<Edit> edit = editElements(actions->document, refs, change, name))
                                   actions->apply(*edit);
                           }});
}

} // namespace cw
