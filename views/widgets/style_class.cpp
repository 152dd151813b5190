// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/style_class.h"

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace cw {

namespace {

void set(QWidget* widget, const char* property, const QVariant& value) {
    if (widget->property(property) == value)
        return;
    widget->setProperty(property, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

} // namespace

void setStyleClass(QWidget* widget, const char* name) { set(widget, "class", QString::fromLatin1(name)); }
void setStyleFlag(QWidget* widget, const char* name, bool on) { set(widget, name, on); }

} // namespace cw
