// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form of a workload: what every kind has (describe_workload_common.cpp), the numbers of its kind (describe_workload.cpp), the stages of a
// pipeline (describe_stages.cpp) and the measured rows like it (describe_neighbours.cpp). GUI thread.
#pragma once

#include "views/inspector/describe.h"

namespace cw {

struct DesignPoint;
struct MeasuredNeighbour;

class WorkloadDescriber : public Describer {
public:
    using Describer::tr;
    WorkloadDescriber(const InspectorContext& context, Form& form, const Workload& workload);
    void run();

private:
    /// A member of the spec S; a workload that is of another kind by now is left alone.
    template <class S, class Lens> void add(FormSection& own, FieldSpec spec, Lens lens) {
        own.fields.push_back(bindWith(
            m_selected, std::move(spec),
            [lens](const Workload& workload) {
                const auto* kind = std::get_if<S>(&workload.spec);
                return kind ? binding::read(lens(*kind)) : FieldValue();
            },
            [lens](Workload& workload, const FieldValue& value) {
                if (auto* kind = std::get_if<S>(&workload.spec))
                    binding::write(lens(*kind), value);
            }));
    }

    FieldSpec precision(const char* key, const QString& label) const;
    void kindFields(FormSection& own);
    void training(FormSection& own);
    void serving(FormSection& own);
    void batchInference(FormSection& own);
    void service(FormSection& own);
    void stream(FormSection& own);
    void batchJob(FormSection& own);
    void hpc(FormSection& own);
    void pipeline(FormSection& own);

    void stages();
    void addStage(const Pipeline& pipeline, std::size_t index);
    void addEdge(const Pipeline& pipeline, std::size_t index);
    /// Makes a change of the pipeline an action.
    std::function<void()> changePipeline(const QString& name, std::function<void(Pipeline&)> change) const;

    void targets();
    void loadOverDay();
    void requests();
    void reported();
    void results();
    void neighbours();
    FormField believedError(const DesignPoint& design, const MeasuredNeighbour& nearest) const;

    const Workload& m_workload;
    Selected<Workload> m_selected;
};

} // namespace cw
