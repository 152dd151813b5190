// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/describe.h"

#include "views/text/names.h"
#include "views/text/quantity_text.h"

namespace cw {

namespace {

/// With nothing selected: the project, where it stands, what it must do, and the alternative that is shown.
class ProjectDescriber : public Describer {
public:
    ProjectDescriber(const InspectorContext& context, Form& form)
        : Describer(context, form) {
        m_meta = only<Meta>({ElementKind::meta, {}, {}}, context.project.meta, tr("the project"));
        m_site = only<Site>({ElementKind::site, {}, {}}, context.project.site, tr("the site"));
        m_head = only<AlternativeHead>({ElementKind::alternative, {}, context.alternative.id.value}, headOf(context.alternative),
                                       QString::fromStdString(context.alternative.name));
    }

    void run() {
        m_form.title = tr("Project");
        addWorkloads();
        addAlternative();
        addSite();
        addMoney();
        addTotals();
        addMeta();
    }

private:
    template <class T> Selected<T> only(ElementRef where, const T& value, const QString& what) const {
        Selected<T> selected;
        selected.document = &m_context.actions.document;
        selected.refs = {std::move(where)};
        selected.values = {value};
        selected.what = what;
        return selected;
    }

    void addWorkloads() {
        FormSection& own = section("workloads", tr("Workloads"));
        if (m_context.project.workloads.empty())
            own.intro = tr("What must the cluster do? Without a workload only power, racks and purchase can be estimated.");
        for (const Workload& workload : m_context.project.workloads) {
            const WorkloadEstimate* estimate = m_context.estimate ? m_context.estimate->workload(workload.id) : nullptr;
            FormField row =
                figure("workload " + workload.id.value, QString::fromStdString(workload.name), state(estimate), tone(estimate));
            row.spec.help = workloadKindName(kindName(workload.spec));
            row.open = [actions = &m_context.actions, id = workload.id] {
                actions->inspect({{ElementKind::workload, {}, id.value}});
            };
            own.fields.push_back(std::move(row));
        }
        own.actions.push_back({"addWorkload", tr("Add workload…"), tr("From a preset."), m_context.actions.addWorkload});
    }

    static QString state(const WorkloadEstimate* estimate) {
        if (!estimate)
            return tr("not estimated yet");
        if (!estimate->placed)
            return tr("runs nowhere here");
        if (!estimate->feasible)
            return tr("cannot run");
        return quantityText(estimate->throughput);
    }

    static FigureTone tone(const WorkloadEstimate* estimate) {
        if (!estimate || !estimate->placed)
            return FigureTone::muted;
        if (!estimate->feasible || (estimate->meetsTargets && !*estimate->meetsTargets))
            return FigureTone::bad;
        return estimate->meetsTargets ? FigureTone::good : FigureTone::plain;
    }

    void addAlternative() {
        FormSection& own = section("alternative", tr("Alternative"));
        own.fields.push_back(
            bind(m_head, {.key = "name", .label = tr("Name"), .required = true}, [](auto& head) -> auto& { return head.name; }));
        own.fields.push_back(bind(m_head,
                                  {.key = "procurement",
                                   .label = tr("Paid"),
                                   .help = tr("Unless a stack says otherwise."),
                                   .kind = FieldKind::choice,
                                   .choices = procurementChoices(false)},
                                  [](auto& head) -> auto& { return head.procurement; }));
        own.fields.push_back(bind(m_head, {.key = "notes", .label = tr("Notes"), .kind = FieldKind::longText},
                                  [](auto& head) -> auto& { return head.notes; }));
    }

    void addSite() {
        const auto* region = m_context.catalog.find<Region>(m_context.project.site.region);
        // Without either the estimates take the catalog's default.
        const auto* usual = m_context.catalog.find<Constants>(PartId("energy_defaults"));
        const auto ofRegion = [&](double value, const char* key, Unit unit) {
            return region ? tr("%1 (region)").arg(quantityText(value, unit))
                : usual   ? tr("%1 (default)").arg(quantityText((*usual)[key], unit))
                          : tr("unknown");
        };
        auto& fields = section("site", tr("Site")).fields;
        fields.push_back(bind(m_site, {.key = "name", .label = tr("Place")}, [](auto& site) -> auto& { return site.name; }));
        fields.push_back(bind(m_site,
                              {.key = "region",
                               .label = tr("Region"),
                               .help = tr("Energy price and carbon unless given."),
                               .kind = FieldKind::part,
                               .unset = tr("none"),
                               .partKinds = {"region"}},
                              [](auto& site) -> auto& { return site.region; }));
        fields.push_back(bind(m_site,
                              {.key = "energy",
                               .label = tr("Energy price"),
                               .kind = FieldKind::number,
                               .unit = Unit::dollarsPerKilowattHour,
                               .low = 0,
                               .high = 10,
                               .unset = ofRegion(region ? region->dollarsPerKwh : 0, "usd_per_kwh", Unit::dollarsPerKilowattHour)},
                              [](auto& site) -> auto& { return site.energyPrice; }));
        fields.push_back(bind(m_site,
                              {.key = "carbon",
                               .label = tr("Carbon"),
                               .kind = FieldKind::number,
                               .unit = Unit::gramsPerKilowattHour,
                               .low = 0,
                               .high = 3000,
                               .unset = ofRegion(region ? region->carbonGramsPerKwh : 0, "carbon_g_per_kwh", Unit::gramsPerKilowattHour)},
                              [](auto& site) -> auto& { return site.carbonIntensity; }));
        fields.push_back(bind(m_site,
                              {.key = "cooling",
                               .label = tr("Cooling"),
                               .help = tr("Of racks that say nothing else."),
                               .kind = FieldKind::part,
                               .unset = tr("none given"),
                               .partKinds = {"cooling"}},
                              [](auto& site) -> auto& { return site.cooling; }));
        fields.push_back(bind(m_site,
                              {.key = "inlet",
                               .label = tr("Inlet"),
                               .help = tr("Air into the racks."),
                               .kind = FieldKind::number,
                               .unit = Unit::celsius,
                               .low = -10,
                               .high = 60},
                              [](auto& site) -> auto& { return site.inletC; }));
        fields.push_back(bind(
            m_site,
            {.key = "pue", .label = tr("PUE"), .kind = FieldKind::number, .low = 1, .high = 5, .unset = tr("from the cooling")},
            [](auto& site) -> auto& { return site.pue; }));
        fields.push_back(bind(m_site,
                              {.key = "rackLimit",
                               .label = tr("Rack limit"),
                               .kind = FieldKind::number,
                               .unit = Unit::watts,
                               .low = 100,
                               .high = 1e7,
                               .unset = tr("from the cooling")},
                              [](auto& site) -> auto& { return site.rackPowerLimit; }));
        fields.push_back(bind(m_site,
                              {.key = "facilityLimit",
                               .label = tr("Facility limit"),
                               .kind = FieldKind::number,
                               .unit = Unit::watts,
                               .low = 100,
                               .high = 1e11,
                               .unset = tr("none")},
                              [](auto& site) -> auto& { return site.facilityPowerLimit; }));
    }

    FormField fraction(const char* key, const QString& label, const QString& help, double Site::* member, double high = 1) const {
        return bind(
            m_site,
            {.key = key, .label = label, .help = help, .kind = FieldKind::number, .unit = Unit::fraction, .low = 0, .high = high},
            [member](auto& site) -> auto& { return site.*member; });
    }

    void addMoney() {
        auto& fields = section("money", tr("Cost and time"), false).fields;
        fields.push_back(bind(m_site,
                              {.key = "horizon",
                               .label = tr("Horizon"),
                               .help = tr("Over which the cost is counted."),
                               .kind = FieldKind::number,
                               .unit = Unit::years,
                               .low = .1,
                               .high = 30},
                              [](auto& site) -> auto& { return site.horizonYears; }));
        fields.push_back(fraction("utilisation", tr("Utilisation"), tr("Of the machine over the year."), &Site::utilisation));
        fields.push_back(fraction("discount", tr("Discount rate"), tr("A year."), &Site::discountRate));
        fields.push_back(
            fraction("installation", tr("Installation"), tr("Of the purchase price."), &Site::installationFraction, 5));
        fields.push_back(fraction("support", tr("Support"), tr("Of the purchase price, a year."), &Site::supportFractionPerYear));
        fields.push_back(fraction("spares", tr("Spares"), tr("Of the purchase price."), &Site::spareFraction));
        fields.push_back(bind(m_site,
                              {.key = "staff",
                               .label = tr("Staff"),
                               .kind = FieldKind::number,
                               .unit = Unit::dollarsPerYear,
                               .low = 0,
                               .high = 1e12},
                              [](auto& site) -> auto& { return site.staffDollarsPerYear; }));
        fields.push_back(bind(m_site,
                              {.key = "space",
                               .label = tr("Space"),
                               .help = tr("Colocation, USD per kW and month; 0 for an own building."),
                               .kind = FieldKind::number,
                               .low = 0,
                               .high = 1e5},
                              [](auto& site) -> auto& { return site.spaceDollarsPerKwMonth; }));
        fields.push_back(bind(m_site, {.key = "currency", .label = tr("Currency"), .required = true},
                              [](auto& site) -> auto& { return site.currency; }));
    }

    void addTotals() {
        if (!m_context.estimate)
            return;
        FormSection& own = section("totals", tr("This alternative in figures"), false);
        for (const char* key : {"it", "facility", "facility_peak", "pue", "energy_year", "capex", "opex_year", "tco", "per_hour",
                                "rent_per_hour", "buy_per_hour", "bisection", "oversubscription", "mtbf_hours",
                                "failures_per_day", "goodput_all", "checkpoint_interval", "carbon_year", "embodied"}) {
            const Figure figure = figureOf(m_context.alternative.id, {}, key);
            addFigure(own, key, figure.name, figure.find(*m_context.estimate), figure.find);
        }
    }

    void addMeta() {
        auto& fields = section("meta", tr("Document"), false).fields;
        fields.push_back(bind(m_meta, {.key = "title", .label = tr("Title")}, [](auto& meta) -> auto& { return meta.title; }));
        fields.push_back(bind(m_meta, {.key = "author", .label = tr("Author")}, [](auto& meta) -> auto& { return meta.author; }));
        fields.push_back(bind(m_meta, {.key = "organisation", .label = tr("Organisation")},
                              [](auto& meta) -> auto& { return meta.organisation; }));
        fields.push_back(bind(m_meta, {.key = "notes", .label = tr("Notes"), .kind = FieldKind::longText},
                              [](auto& meta) -> auto& { return meta.notes; }));
    }

    Selected<Meta> m_meta;
    Selected<Site> m_site;
    Selected<AlternativeHead> m_head;
};

} // namespace

void describeProject(const InspectorContext& context, Form& form) { ProjectDescriber(context, form).run(); }

} // namespace cw
