// SPDX-License-Identifier: GPL-3.0-or-later
//
// The declarative form: what the inspector shows is a list of sections of fields, described anew from the project at every change and laid
// over the widgets that are there (form_view.h). A field knows its label, what may be typed, its value (or that the selected elements
// differ) and how a new value becomes an Edit. Plain values; GUI thread.
#pragma once

#include "estimators/estimate.h"
#include "model/edit/edit.h"
#include "views/text/figure.h"
#include "views/theme/icons.h"

#include <QString>

#include <functional>
#include <optional>
#include <variant>
#include <vector>

class QWidget;

namespace cw {

/// Not set (automatic, inherited, unknown), a number in the field's unit (flags: 0 or 1), or text or the key of a choice.
using FieldValue = std::variant<std::monostate, double, std::string>;

enum class FieldKind : quint8 {
    text,
    longText,
    number,
    choice,
    flag,
    part,   ///< id of a catalog part, chosen from a searchable list
    figure, ///< read-only words, with a Figure behind them that can be explained
    meter,  ///< read-only share with words
    custom, ///< a widget of its own
};

struct Choice {
    std::string key;
    QString text;
    QString help;
};

struct FieldSpec {
    std::string key; ///< stable within its section
    QString label;
    QString help = {};
    FieldKind kind = FieldKind::text;
    Unit unit = Unit::one;
    double low = 0;
    double high = 1e18;
    bool whole = false;    ///< whole numbers only
    bool required = false; ///< text must not be empty
    bool scrub = true;     ///< numbers: the label can be dragged
    /// What stands for "not set", e.g. "auto", "as the region"; empty: a value is needed. With `zeroIsUnset` the model's 0 means it.
    QString unset = {};
    bool zeroIsUnset = false;
    std::vector<Choice> choices = {};
    std::vector<std::string> partKinds = {}; ///< kindName()s that a part field offers
};

enum class FigureTone : quint8 { plain, good, warn, bad, muted };

struct FormField {
    FieldSpec spec;
    FieldValue value;
    bool mixed = false; ///< the selected elements differ
    /// Turns a valid value into a change of the project; null: read-only.
    std::function<Expected<Edit>(const FieldValue&)> edit;

    QString words;    ///< figure, meter
    QString badge;    ///< figure: provenance of a fact, "est."
    double share = 0; ///< meter
    FigureTone tone = FigureTone::plain;
    std::optional<Figure> figure;           ///< a click opens the derivation
    std::function<void()> open;             ///< a click does this instead
    QString openHint;                       ///< what that is; empty: it goes to where the words are about
    std::function<QWidget*(QWidget*)> make; ///< custom
    std::function<void(QWidget*)> update;   ///< custom: called at every refresh
};

struct FormAction {
    std::string key;
    QString text;
    QString help = {};
    std::function<void()> run = {};
    Icon icon = Icon::apply;
};

struct FormSection {
    std::string key;
    QString title;
    QString note = {};  ///< at the right of the title
    QString intro = {}; ///< a muted line above the fields
    bool open = true;   ///< at first; what the user chose afterwards is remembered
    std::vector<FormField> fields = {};
    std::vector<FormAction> actions = {};
};

struct Form {
    QString title;
    QString subtitle;
    std::function<void()> back; ///< shows a way back to where this form was opened from
    QString backText;
    std::vector<FormSection> sections;
};

/// The value as text to edit: exact, no superfluous zeros, e.g. "10.2 kW". Empty for monostate.
QString editText(const FieldSpec& spec, const FieldValue& value);
/// Text as typed to a value, or what was expected instead. Empty text is monostate where the field may be unset.
Expected<FieldValue> readValue(const FieldSpec& spec, const QString& text);
/// A number moved by so many steps; the step follows the size of the number, whole numbers move by whole steps.
double nudgedNumber(const FieldSpec& spec, double value, double steps);

} // namespace cw
