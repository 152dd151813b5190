// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the program remembers of its user (XDG config): theme, recent files, window layout. One object per setting with its default.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>

namespace cw {

/// A typed setting with its key and default.
template <class T> class Setting {
  public:
    Setting(const char* key, T otherwise) : m_key(key), m_otherwise(std::move(otherwise)) {}
    T get() const { return QSettings().value(m_key, QVariant::fromValue(m_otherwise)).template value<T>(); }
    void set(const T& value) const { QSettings().setValue(m_key, QVariant::fromValue(value)); }
    void reset() const { QSettings().remove(m_key); }

  private:
    QString m_key;
    T m_otherwise;
};

namespace preferences {

inline const Setting<QString> theme{"appearance/theme", QStringLiteral("system")}; ///< system, light, dark
inline const Setting<QByteArray> geometry{"window/geometry", {}};
inline const Setting<QByteArray> layout{"window/layout", {}};
inline const Setting<QString> lastFolder{"files/last_folder", {}};

/// Newest first; files that are gone are left out.
QStringList recentFiles();
void addRecentFile(const QString& path);

} // namespace preferences

} // namespace cw
