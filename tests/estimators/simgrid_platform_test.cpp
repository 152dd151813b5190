// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/network/simgrid_platform.h"
#include "tests/estimators/design_builder.h"

#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

using namespace cw;
using cw::test::Scene;

namespace {

struct Platform {
    QSet<QString> hosts, routers;
    QMap<QString, double> links; ///< bytes/s
    QStringList dangling;        ///< names in routes that nothing declares
    QString fault;
};

Platform read(const Expected<std::string>& text) {
    Platform platform;
    if (!text) {
        platform.fault = QString::fromStdString(text.error().text());
        return platform;
    }
    QXmlStreamReader xml(QString::fromStdString(*text));
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        const auto value = [&](const char* key) { return xml.attributes().value(QLatin1String(key)).toString(); };
        if (xml.name() == u"host")
            platform.hosts << value("id");
        if (xml.name() == u"router")
            platform.routers << value("id");
        if (xml.name() == u"link")
            platform.links[value("id")] = value("bandwidth").chopped(3).toDouble();
        if (xml.name() == u"route")
            for (const char* end : {"src", "dst"})
                if (!platform.hosts.contains(value(end)) && !platform.routers.contains(value(end)))
                    platform.dangling << value(end);
        if (xml.name() == u"link_ctn" && !platform.links.contains(value("id")))
            platform.dangling << value("id");
    }
    if (xml.hasError())
        platform.fault = xml.errorString();
    return platform;
}

} // namespace

class SimgridPlatformTest : public QObject {
    Q_OBJECT

private slots:
    /// A pod of rails: each block's leaves become one router, the spines one; the management network stays apart.
    void clos() {
        Scene scene;
        scene.node("gpu", "dgx_h100", 8);
        scene.node("leaf", "qm9700", 16);
        scene.node("spine", "qm9700", 4);
        scene.node("oob", "sn2201", 1);
        scene.link("gpu", "leaf", "ib_ndr", Pattern::rail, 8);
        scene.link("leaf", "spine", "ib_ndr", Pattern::mesh, 2);
        scene.link("gpu", "oob", "eth_1g", Pattern::each, 1);
        const Fabric& fabric = scene.fabric();
        const Platform platform = read(simgridPlatform(fabric));
        QVERIFY2(platform.fault.isEmpty(), qPrintable(platform.fault));
        QVERIFY2(platform.dangling.isEmpty(), qPrintable(platform.dangling.join(u' ')));
        QCOMPARE(platform.hosts.size(), 64);
        QVERIFY(platform.hosts.contains(QStringLiteral("gpu-7.gpu7")));
        QCOMPARE(platform.routers.size(), 8 + 8 + 2 + 1 + 1); // machines, their crossbars, leaves, spines, management
        const double cable = fabric.capacity(0).perCable;
        QCOMPARE(platform.links.value(QStringLiteral("link0:gpu-0.ports:leaf-0.ports")), 8 * cable);
        QCOMPARE(platform.links.value(QStringLiteral("link1:leaf-8.ports:spine-0.ports")), 8 * 4 * 2 * cable);
    }

    /// Pods that meet in planes of cores: one router a pod and level, one core.
    void planes() {
        Scene scene;
        scene.node("n", "dell_r7625_9654", 16);
        scene.node("leaf", "sn5600", 8);
        scene.node("spine", "sn5600", 4);
        scene.node("core", "sn5600", 4);
        scene.link("n", "leaf", "eth_400g", Pattern::each, 1);
        scene.link("leaf", "spine", "eth_400g", Pattern::each, 2); // two pods
        scene.link("spine", "core", "eth_400g", Pattern::plane, 2);
        const Platform platform = read(simgridPlatform(scene.fabric()));
        QVERIFY2(platform.fault.isEmpty() && platform.dangling.isEmpty(), qPrintable(platform.fault));
        QCOMPARE(platform.routers.size(), 16 + 8 + 2 + 1);
    }

    void directNetworksKeepTheirShape() {
        Scene scene;
        scene.node("n", "dell_r7625_9654", 64);
        scene.link("n", "n", "eth_100g", Pattern::torus, 1, {4, 4, 4});
        const Platform platform = read(simgridPlatform(scene.fabric()));
        QVERIFY(platform.dangling.isEmpty());
        QCOMPARE(platform.routers.size(), 64);
        QCOMPARE(platform.links.size(), 64 + 192 + 1);
    }

    void textIsEscaped() {
        Scene scene;
        scene.node("a<b>&\"c", "dell_r7625_9654", 2);
        scene.node("s", "sn5600", 1);
        scene.link("a<b>&\"c", "s", "eth_400g", Pattern::each, 1);
        scene.project().meta.title = "-- <x> --";
        const Platform platform = read(simgridPlatform(scene.fabric()));
        QVERIFY2(platform.fault.isEmpty(), qPrintable(platform.fault));
        QVERIFY(platform.hosts.contains(QStringLiteral("a<b>&\"c-1")));
    }

    void refusals() {
        Scene scene;
        const Platform empty = read(simgridPlatform(scene.fabric()));
        QVERIFY(empty.fault.contains(QStringLiteral("nothing to simulate")));
        scene.node("gpu", "dgx_h100", 12800);
        const Platform large = read(simgridPlatform(scene.fabric()));
        QVERIFY2(large.fault.contains(QStringLiteral("102400")) && large.fault.contains(QStringLiteral("10000")), qPrintable(large.fault));
    }
};

QTEST_GUILESS_MAIN(SimgridPlatformTest)
#include "simgrid_platform_test.moc"
