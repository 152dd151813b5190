// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colours, fonts and the look of the application: one light and one dark theme, both immutable. Views ask theme() when they paint and
// listen to ThemeSource::changed(); documents take Theme::light() so that an export does not depend on the screen. GUI thread only.
// Load, temperature and margin always come with a number, a width or a hatching besides their colour.
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <QString>

#include <array>

namespace cw {

enum class ThemeKind : quint8 { light, dark };
enum class ThemeChoice : quint8 { system, light, dark };

/// What kind of thing a part is, for its colour. See part_look.h for the family of a part.
enum class PartFamily : quint8 { gpu, cpu, network, storage, rack, cloud, facility, model, unknown };

/// How full something is: below 75 %, 75 to 90 %, above 90 %.
enum class LoadBand : quint8 { unknown, low, high, full };
LoadBand loadBand(double utilisation); ///< NaN is unknown

struct Theme {
    ThemeKind kind = ThemeKind::light;

    // Surfaces, from back to front.
    QColor window, canvas, panel, card, field, chip, gridDot;
    // Lines and text.
    QColor border, borderStrong, text, textMuted, textOnColour;
    // Interaction.
    QColor accent, accentSoft, selection, selectionSoft;
    // Judgement.
    QColor good, warn, bad, info, warnSoft, warnBorder, badSoft, goodSoft;
    // Families of parts.
    QColor gpu, cpu, network, storage, rack, cloud, facility, model, unknown;
    // Load of links and machines.
    QColor loadLow, loadHigh, loadFull, loadUnknown, loadTrack;
    // Charts.
    QColor axis, gridLine;
    std::array<QColor, 8> series;    ///< one an alternative, in order
    std::array<QColor, 9> timeParts; ///< by TimePart

    bool isDark() const { return kind == ThemeKind::dark; }
    const QColor& family(PartFamily family) const;
    const QColor& load(double utilisation) const;
    const QColor& load(LoadBand band) const;
    /// Fill and outline of the n-th frame colour; frames take them in turn.
    QColor frameFill(int index) const;
    QColor frameLine(int index) const;
    /// A sequential ramp from 0 (cool, little) to 1 (hot, much) for heat, power and cost; monotone in lightness, so it survives
    /// printing in grey and colour blindness.
    QColor ramp(double share) const;
    /// White, or ink where white would be too faint on `background`.
    static QColor readableOn(const QColor& background);
    /// Contrast ratio of WCAG 2.1, 1 to 21.
    static double contrast(const QColor& a, const QColor& b);

    QPalette palette() const;
    QString styleSheet() const;

    static const Theme& light();
    static const Theme& dark();
    static const Theme& of(ThemeKind kind) { return kind == ThemeKind::dark ? dark() : light(); }
};

/// The theme of the screen.
const Theme& theme();

/// Hatching that says the same as a load colour: none, diagonal, crossed.
Qt::BrushStyle loadHatch(LoadBand band);

/// Text sizes in logical pixels at 100 %, all of the application's family.
enum class TextRole : quint8 { tiny, small, body, strong, title, figure };
QFont textFont(TextRole role);

/// Chooses the theme of the application and says when it changed. One per process.
class ThemeSource : public QObject {
    Q_OBJECT
public:
    static ThemeSource& instance();

    /// Sets style, palette and style sheet of the QApplication. `system` follows the desktop, also later.
    void choose(ThemeChoice choice);
    ThemeChoice choice() const { return m_choice; }

signals:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    ThemeSource();
    void apply(ThemeKind kind);
    ThemeChoice m_choice = ThemeChoice::light;
    bool m_applying = false;
};

} // namespace cw
