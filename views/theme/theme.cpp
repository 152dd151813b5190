// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QStyleFactory>

#include <algorithm>
#include <cmath>

// The resources of a static library have to be asked for, from outside any namespace.
static void initResources() { Q_INIT_RESOURCE(theme); }

namespace cw {

namespace {

ThemeKind shownKind = ThemeKind::light;

Theme makeLight() {
    Theme t;
    t.kind = ThemeKind::light;
    t.window = "#eef1f5";
    t.canvas = "#ffffff";
    t.panel = "#ffffff";
    t.card = "#ffffff";
    t.field = "#f3f5f8";
    t.chip = "#e3e8ef";
    t.gridDot = "#d8dfe8";
    t.border = "#d5dce4";
    t.borderStrong = "#aab6c4";
    t.text = "#1c2733";
    t.textMuted = "#5b6a7e";
    t.textOnColour = "#ffffff";
    t.accent = "#2463eb";
    t.accentSoft = "#eaf1ff";
    t.selection = "#2463eb";
    t.selectionSoft = "#dbe7ff";
    t.good = "#157a4c";
    t.warn = "#a35200";
    t.bad = "#c8323c";
    t.info = "#2463eb";
    t.warnSoft = "#fff7ed";
    t.warnBorder = "#fdba74";
    t.badSoft = "#fdecee";
    t.goodSoft = "#e8f5ee";
    t.gpu = "#178554";
    t.cpu = "#2463eb";
    t.network = "#7a4fd0";
    t.storage = "#a66a12";
    t.rack = "#5b6a7e";
    t.cloud = "#0e7c9b";
    t.facility = "#0f766e";
    t.model = "#b0347f";
    t.unknown = "#8593a3";
    t.loadLow = "#0f8a72";
    t.loadHigh = "#d97706";
    t.loadFull = "#c4242f";
    t.loadUnknown = "#9aa7b5";
    t.loadTrack = "#e6ebf1";
    t.axis = "#9aa7b5";
    t.gridLine = "#edf1f5";
    t.series = {QColor("#1b8f5a"), QColor("#2463eb"), QColor("#7a4fd0"), QColor("#b7791f"),
                QColor("#c8323c"), QColor("#0e7c9b"), QColor("#b0347f"), QColor("#475569")};
    t.timeParts = {QColor("#1b8f5a"), QColor("#60a5fa"), QColor("#0e7c9b"), QColor("#7a4fd0"), QColor("#d97706"),
                   QColor("#b7791f"), QColor("#f2b8bd"), QColor("#c8323c"), QColor("#cbd5e1")};
    return t;
}

Theme makeDark() {
    Theme t;
    t.kind = ThemeKind::dark;
    t.window = "#12171e";
    t.canvas = "#171d26";
    t.panel = "#1a212b";
    t.card = "#212a36";
    t.field = "#141a22";
    t.chip = "#2b3645";
    t.gridDot = "#2a3442";
    t.border = "#313c4b";
    t.borderStrong = "#55647a";
    t.text = "#e7ecf2";
    t.textMuted = "#9fadbf";
    t.textOnColour = "#ffffff";
    t.accent = "#5a93ff";
    t.accentSoft = "#1d2f52";
    t.selection = "#6ea1ff";
    t.selectionSoft = "#223a66";
    t.good = "#4cc38a";
    t.warn = "#f0a24a";
    t.bad = "#ff7b83";
    t.info = "#7aa9ff";
    t.warnSoft = "#352613";
    t.warnBorder = "#8a5a1c";
    t.badSoft = "#3a1d22";
    t.goodSoft = "#16322a";
    t.gpu = "#1f9261";
    t.cpu = "#3f7df2";
    t.network = "#8f68dd";
    t.storage = "#ad7622";
    t.rack = "#73839a";
    t.cloud = "#1b88a8";
    t.facility = "#1a938a";
    t.model = "#c9559c";
    t.unknown = "#7d8b9d";
    t.loadLow = "#3ecfb2";
    t.loadHigh = "#f0a63c";
    t.loadFull = "#ee4a5a";
    t.loadUnknown = "#66758a";
    t.loadTrack = "#34404f";
    t.axis = "#66758a";
    t.gridLine = "#28323f";
    t.series = {QColor("#3fb984"), QColor("#6ea1ff"), QColor("#a98af0"), QColor("#dca23f"),
                QColor("#f4737c"), QColor("#3cb4d4"), QColor("#e07ab6"), QColor("#94a3b8")};
    t.timeParts = {QColor("#3fb984"), QColor("#7ab4fb"), QColor("#3cb4d4"), QColor("#a98af0"), QColor("#eb9632"),
                   QColor("#dca23f"), QColor("#b9868c"), QColor("#f4737c"), QColor("#55647a")};
    return t;
}

double channelLuminance(double c) { return c <= .04045 ? c / 12.92 : std::pow((c + .055) / 1.055, 2.4); }

double luminance(const QColor& c) {
    return .2126 * channelLuminance(c.redF()) + .7152 * channelLuminance(c.greenF()) + .0722 * channelLuminance(c.blueF());
}

QColor mix(const QColor& a, const QColor& b, double share) {
    const auto part = [share](double x, double y) { return x + (y - x) * share; };
    return QColor::fromRgbF(float(part(a.redF(), b.redF())), float(part(a.greenF(), b.greenF())),
                            float(part(a.blueF(), b.blueF())));
}

} // namespace

LoadBand loadBand(double utilisation) {
    if (std::isnan(utilisation))
        return LoadBand::unknown;
    return utilisation > .9 ? LoadBand::full : utilisation >= .75 ? LoadBand::high : LoadBand::low;
}

const QColor& Theme::family(PartFamily family) const {
    switch (family) {
    case PartFamily::gpu:
        return gpu;
    case PartFamily::cpu:
        return cpu;
    case PartFamily::network:
        return network;
    case PartFamily::storage:
        return storage;
    case PartFamily::rack:
        return rack;
    case PartFamily::cloud:
        return cloud;
    case PartFamily::facility:
        return facility;
    case PartFamily::model:
        return model;
    case PartFamily::unknown:
        break;
    }
    return unknown;
}

const QColor& Theme::load(LoadBand band) const {
    switch (band) {
    case LoadBand::low:
        return loadLow;
    case LoadBand::high:
        return loadHigh;
    case LoadBand::full:
        return loadFull;
    case LoadBand::unknown:
        break;
    }
    return loadUnknown;
}

const QColor& Theme::load(double utilisation) const { return load(loadBand(utilisation)); }

QColor Theme::frameLine(int index) const {
    const std::array<const QColor*, 5> hues{&cpu, &gpu, &network, &storage, &cloud};
    return mix(canvas, *hues[size_t(std::abs(index)) % hues.size()], isDark() ? .62 : .5);
}

QColor Theme::frameFill(int index) const { return mix(canvas, frameLine(index), isDark() ? .14 : .1); }

QColor Theme::ramp(double share) const {
    if (std::isnan(share))
        return loadUnknown;
    // From cool to warm, always further from the canvas: lightness falls in the light theme and rises in the dark one.
    static const std::array<QColor, 5> onLight{QColor("#c7dcfa"), QColor("#8fd0c4"), QColor("#e0b040"), QColor("#dd7a30"),
                                               QColor("#a81f2b")};
    static const std::array<QColor, 5> onDark{QColor("#22344d"), QColor("#1f6461"), QColor("#8f7a2c"), QColor("#d07f35"),
                                              QColor("#ffa08c")};
    const auto& points = isDark() ? onDark : onLight;
    const double x = std::clamp(share, 0., 1.) * double(points.size() - 1);
    const auto i = std::min(size_t(x), points.size() - 2);
    return mix(points[i], points[i + 1], x - double(i));
}

double Theme::contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + .05) / (std::min(la, lb) + .05);
}

QColor Theme::readableOn(const QColor& background) {
    static const QColor ink("#14202c");
    // White reads better on saturated mid tones than the ratio says; 3 is what WCAG asks of bold figures.
    return contrast(background, Qt::white) >= 3 ? QColor(Qt::white) : ink;
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, panel);
    p.setColor(QPalette::AlternateBase, field);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, textMuted);
    p.setColor(QPalette::Button, panel);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, bad);
    p.setColor(QPalette::Highlight, isDark() ? QColor("#2f62c9") : accent);
    p.setColor(QPalette::HighlightedText, Qt::white);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, network);
    p.setColor(QPalette::ToolTipBase, card);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Light, card);
    p.setColor(QPalette::Midlight, field);
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Dark, borderStrong);
    p.setColor(QPalette::Shadow, isDark() ? QColor("#05070a") : QColor("#7c8898"));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, mix(textMuted, panel, .4));
    p.setColor(QPalette::Disabled, QPalette::Highlight, borderStrong);
    return p;
}

const Theme& Theme::light() {
    static const Theme t = makeLight();
    return t;
}

const Theme& Theme::dark() {
    static const Theme t = makeDark();
    return t;
}

const Theme& theme() { return Theme::of(shownKind); }

Qt::BrushStyle loadHatch(LoadBand band) {
    switch (band) {
    case LoadBand::high:
        return Qt::BDiagPattern;
    case LoadBand::full:
        return Qt::DiagCrossPattern;
    case LoadBand::unknown:
        return Qt::Dense6Pattern;
    case LoadBand::low:
        break;
    }
    return Qt::NoBrush;
}

QFont textFont(TextRole role) {
    QFont font = QGuiApplication::font();
    const auto size = [&font](double pixels, QFont::Weight weight) {
        font.setPixelSize(int(std::lround(pixels)));
        font.setWeight(weight);
    };
    switch (role) {
    case TextRole::tiny:
        size(10, QFont::Normal);
        break;
    case TextRole::small:
        size(11, QFont::Normal);
        break;
    case TextRole::body:
        size(12, QFont::Normal);
        break;
    case TextRole::strong:
        size(12, QFont::DemiBold);
        break;
    case TextRole::title:
        size(13, QFont::DemiBold);
        break;
    case TextRole::figure:
        size(18, QFont::DemiBold);
        break;
    }
    return font;
}

ThemeSource::ThemeSource() {
    initResources();
    qApp->installEventFilter(this);
}

ThemeSource& ThemeSource::instance() {
    static ThemeSource* source = nullptr;
    if (!source) {
        source = new ThemeSource;
        source->setParent(qApp);
        QObject::connect(source, &QObject::destroyed, [] { source = nullptr; });
    }
    return *source;
}

void ThemeSource::choose(ThemeChoice choice) {
    m_choice = choice;
    if (choice != ThemeChoice::system) {
        apply(choice == ThemeChoice::dark ? ThemeKind::dark : ThemeKind::light);
        return;
    }
    // Qt 6.4 has no colour scheme property: the desktop's palette tells, once ours is out of the way.
    m_applying = true;
    QApplication::setPalette(QPalette());
    const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128 ||
        qEnvironmentVariable("GTK_THEME").endsWith(QLatin1String("dark"), Qt::CaseInsensitive);
    m_applying = false;
    apply(dark ? ThemeKind::dark : ThemeKind::light);
}

void ThemeSource::apply(ThemeKind kind) {
    m_applying = true;
    shownKind = kind;
    if (QStyle* style = QStyleFactory::create(QStringLiteral("Fusion")))
        QApplication::setStyle(style);
    QApplication::setPalette(theme().palette());
    qApp->setStyleSheet(theme().styleSheet());
    m_applying = false;
    emit changed();
}

bool ThemeSource::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ThemeChange && !m_applying && m_choice == ThemeChoice::system)
        choose(ThemeChoice::system);
    return QObject::eventFilter(watched, event);
}

} // namespace cw
