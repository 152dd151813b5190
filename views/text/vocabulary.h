// SPDX-License-Identifier: GPL-3.0-or-later
//
// A vocabulary: codes with their words, a sorted-enough table that is searched linearly (tens of rows). Private to views/text.
#pragma once

#include <QCoreApplication>
#include <QString>

#include <span>
#include <string_view>

namespace cw::text {

struct Word {
    std::string_view code;
    const char* text; ///< source of a translation, context "Names"
};

inline QString fromUtf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

/// A code without a word, made readable: "gpu.memory_bandwidth" gives "GPU memory bandwidth".
inline QString readable(std::string_view code) {
    QString out = fromUtf8(code);
    out.replace(u'_', u' ').replace(u'.', u' ');
    QStringList words = out.split(u' ', Qt::SkipEmptyParts);
    for (QString& word : words)
        for (const char16_t* acronym : {u"gpu", u"cpu", u"kv", u"ttft", u"tpot", u"hbm", u"nic", u"pue"})
            if (word == QStringView(acronym))
                word = word.toUpper();
    if (!words.isEmpty())
        words[0][0] = words[0][0].toUpper();
    return words.join(u' ');
}

inline bool knows(std::span<const Word> words, std::string_view code) {
    for (const Word& word : words)
        if (word.code == code)
            return true;
    return false;
}

inline QString wordFor(std::span<const Word> words, std::string_view code) {
    for (const Word& word : words)
        if (word.code == code)
            return QCoreApplication::translate("Names", word.text);
    return readable(code);
}

} // namespace cw::text

#define CW_WORD(code, text) {code, QT_TRANSLATE_NOOP("Names", text)}
