// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/part_look.h"

#include "model/units/unit.h"

#include <QCoreApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QStringList>

namespace cw {

namespace {

QString figure(double value, Unit unit) { return QString::fromStdString(format(value, unit)); }

PartLook serverLook(const Server& server) {
    switch (server.role) {
    case ServerRole::gpuServer:
    case ServerRole::rackSystem:
        return {PartFamily::gpu, QStringLiteral("G%1").arg(server.gpuCount)};
    case ServerRole::loadBalancer:
        return {PartFamily::storage, QStringLiteral("LB")};
    case ServerRole::cacheNode:
        return {PartFamily::storage, QStringLiteral("$")};
    case ServerRole::storageServer:
        return {PartFamily::storage, QStringLiteral("D")};
    case ServerRole::headNode:
        return {PartFamily::cpu, QStringLiteral("H")};
    case ServerRole::cpuServer:
        break;
    }
    return {server.gpuCount > 0 ? PartFamily::gpu : PartFamily::cpu,
            server.gpuCount > 0 ? QStringLiteral("G%1").arg(server.gpuCount) : QStringLiteral("C")};
}

PartLook cloudLook(const CloudInstance& cloud) {
    return cloud.gpuCount > 0 ? PartLook{PartFamily::gpu, QStringLiteral("G%1").arg(cloud.gpuCount)}
                              : PartLook{PartFamily::cloud, QStringLiteral("V")};
}

/// Port groups as "64×400G".
QString ports(const std::vector<PortGroup>& groups) {
    const PortGroup* fastest = nullptr;
    for (const PortGroup& group : groups) {
        if (!fastest || si(group.speed) > si(fastest->speed))
            fastest = &group;
    }
    if (!fastest)
        return {};
    const double gigabits = si(fastest->speed) * 8e-9;
    return QStringLiteral("%1×%2G").arg(fastest->count).arg(gigabits, 0, 'g', 4);
}

QStringList facts(const Gpu& p, const Catalog&) {
    QStringList list{figure(si(p.memory), Unit::bytes), figure(si(p.memoryBandwidth), Unit::bytesPerSecond)};
    if (p.tdp)
        list << figure(si(*p.tdp), Unit::watts);
    return list;
}

QStringList facts(const Cpu& p, const Catalog&) {
    return {QCoreApplication::translate("PartLook", "%1 cores").arg(p.cores), figure(si(p.memoryBandwidth), Unit::bytesPerSecond),
            figure(si(p.tdp), Unit::watts)};
}

QStringList facts(const Server& p, const Catalog& catalog) {
    QStringList list;
    if (p.gpuCount > 0) {
        list << QStringLiteral("%1 GPU").arg(p.gpuCount);
        if (const Gpu* gpu = catalog.find<Gpu>(p.gpu))
            list << figure(si(gpu->memory) * p.gpuCount, Unit::bytes);
    } else if (const Cpu* cpu = catalog.find<Cpu>(p.cpu)) {
        list << QCoreApplication::translate("PartLook", "%1 cores").arg(cpu->cores * p.cpuCount)
             << figure(si(p.ram), Unit::bytes);
    }
    if (p.role == ServerRole::storageServer && p.storage)
        list << figure(si(*p.storage), Unit::bytes);
    if (si(p.powerMax) > 0)
        list << figure(si(p.powerMax), Unit::watts);
    if (p.heightU > 0)
        list << QStringLiteral("%1U").arg(p.heightU);
    return list;
}

QStringList facts(const Switch& p, const Catalog&) {
    QStringList list{ports(p.ports)};
    if (si(p.powerMax) > 0)
        list << figure(si(p.powerMax), Unit::watts);
    if (p.heightU > 0)
        list << QStringLiteral("%1U").arg(p.heightU);
    return list;
}

QStringList facts(const Medium& p, const Catalog&) {
    QStringList list{QStringLiteral("%1 Gb/s").arg(si(p.rawBandwidth) * 8e-9, 0, 'g', 4)};
    if (p.endToEndLatency)
        list << figure(si(*p.endToEndLatency), Unit::seconds);
    return list;
}

QStringList facts(const Protocol& p, const Catalog&) {
    return {QCoreApplication::translate("PartLook", "%1 of the line rate").arg(figure(p.efficiency, Unit::fraction))};
}

QStringList facts(const RackType& p, const Catalog&) {
    QStringList list{QStringLiteral("%1U").arg(p.heightU)};
    if (p.power)
        list << figure(si(*p.power), Unit::watts);
    if (p.staticLoad)
        list << figure(si(*p.staticLoad), Unit::kilograms);
    return list;
}

QStringList facts(const Pdu& p, const Catalog&) {
    return {QStringLiteral("%1 V · %2 A").arg(p.volts).arg(p.amperes), figure(si(p.usable), Unit::watts)};
}

QStringList facts(const Cooling& p, const Catalog&) {
    if (p.capacity)
        return {figure(si(*p.capacity), Unit::watts)};
    return {QCoreApplication::translate("PartLook", "%1 a rack").arg(figure(si(p.rackLimitTypical), Unit::watts))};
}

QStringList facts(const CloudInstance& p, const Catalog&) {
    QStringList list;
    if (p.gpuCount > 0)
        list << QStringLiteral("%1 GPU").arg(p.gpuCount);
    if (p.vcpus > 0)
        list << QStringLiteral("%1 vCPU").arg(p.vcpus);
    if (p.onDemand)
        list << figure(si(*p.onDemand) * 3600, Unit::dollarsPerHour);
    list << QString::fromStdString(p.region);
    return list;
}

QStringList facts(const NeuralModel& p, const Catalog&) {
    return {QCoreApplication::translate("PartLook", "%1 parameters").arg(figure(p.parametersTotal, Unit::count)),
            QCoreApplication::translate("PartLook", "%1 layers").arg(p.layers)};
}

QStringList facts(const Region& p, const Catalog&) {
    return {figure(p.dollarsPerKwh, Unit::dollarsPerKilowattHour), figure(p.carbonGramsPerKwh, Unit::gramsPerKilowattHour)};
}

QStringList facts(const Constants&, const Catalog&) { return {}; }

struct LookOf {
    PartLook operator()(const Gpu&) const { return {PartFamily::gpu, QStringLiteral("G")}; }
    PartLook operator()(const Cpu&) const { return {PartFamily::cpu, QStringLiteral("C")}; }
    PartLook operator()(const Server& p) const { return serverLook(p); }
    PartLook operator()(const Switch&) const { return {PartFamily::network, QStringLiteral("S")}; }
    PartLook operator()(const Medium&) const { return {PartFamily::network, QStringLiteral("─")}; }
    PartLook operator()(const Protocol&) const { return {PartFamily::network, QStringLiteral("P")}; }
    PartLook operator()(const RackType&) const { return {PartFamily::rack, QStringLiteral("R")}; }
    PartLook operator()(const Pdu&) const { return {PartFamily::facility, QStringLiteral("P")}; }
    PartLook operator()(const Cooling&) const { return {PartFamily::facility, QStringLiteral("❄")}; }
    PartLook operator()(const CloudInstance& p) const { return cloudLook(p); }
    PartLook operator()(const NeuralModel&) const { return {PartFamily::model, QStringLiteral("M")}; }
    PartLook operator()(const Region&) const { return {PartFamily::facility, QStringLiteral("R")}; }
    PartLook operator()(const Constants&) const { return {PartFamily::unknown, QStringLiteral("k")}; }
};

class BadgeIconEngine : public QIconEngine {
public:
    explicit BadgeIconEngine(PartLook look)
        : m_look(std::move(look)) {}
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        if (mode == QIcon::Disabled)
            painter->setOpacity(.45);
        paintBadge(*painter, QRectF(rect).adjusted(.5, .5, -.5, -.5), m_look, theme());
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new BadgeIconEngine(m_look); }

private:
    PartLook m_look;
};

} // namespace

PartLook partLook(const Part* part) { return part ? std::visit(LookOf(), *part) : PartLook{}; }

QString shortName(const Part& part) {
    const PartInfo& about = info(part);
    QString name = QString::fromStdString(about.name);
    const QString vendor = QString::fromStdString(about.vendor);
    if (!vendor.isEmpty() && name.startsWith(vendor + QLatin1Char(' '), Qt::CaseInsensitive))
        name = name.mid(vendor.size() + 1);
    if (const qsizetype bracket = name.indexOf(QLatin1String(" (")); bracket > 2)
        name.truncate(bracket);
    return name;
}

QString partFacts(const Part& part, const Catalog& catalog) {
    QStringList list = std::visit([&catalog](const auto& p) { return facts(p, catalog); }, part);
    list.removeAll(QString());
    return list.join(QStringLiteral(" · "));
}

void paintBadge(QPainter& painter, const QRectF& target, const PartLook& look, const Theme& t) {
    const QColor colour = t.family(look.family);
    const double radius = std::min(target.width(), target.height()) * .2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (look.family == PartFamily::unknown) {
        painter.setPen(QPen(colour, 1.2));
        painter.setBrush(t.card);
        painter.drawRoundedRect(target, radius, radius);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QBrush(colour, Qt::BDiagPattern));
        painter.drawRoundedRect(target, radius, radius);
        painter.setPen(t.text);
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(target, radius, radius);
        painter.setPen(Theme::readableOn(colour));
    }
    QFont font = textFont(TextRole::strong);
    font.setWeight(QFont::Bold);
    const double height = target.height() * (look.badge.size() > 2 ? .36 : .44);
    font.setPixelSize(std::max(1, int(std::lround(height))));
    painter.setFont(font);
    painter.drawText(target, Qt::AlignCenter, look.badge);
    painter.restore();
}

QIcon partIcon(const PartLook& look) { return QIcon(new BadgeIconEngine(look)); }

} // namespace cw
