// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person does to the selection: delete, copy, count, align, group, … Each makes one named edit and pushes it; what does not apply
// does nothing. Works on a scene without a view. GUI thread.
#pragma once

#include "views/canvas/canvas_scene.h"

#include <QObject>

#include <optional>

namespace cw {

class CanvasCommands : public QObject {
    Q_OBJECT
public:
    explicit CanvasCommands(CanvasScene& canvas);

    void deleteSelection();
    void duplicateSelection();
    bool copy() const;
    void cut();
    /// Elements of the clipboard, moved so that they lie around `centre` when they would be out of `visible`.
    void paste(const QRectF& visible);
    void selectAll();

    void align(Qt::Alignment edge);         ///< AlignLeft, Right, Top, Bottom, HCenter, VCenter
    void distribute(Qt::Orientation along); ///< equal gaps
    void tidy();                            ///< the selected stacks, or all
    void groupIntoFrame();
    void explode();
    void merge();
    void nudge(const QPointF& delta);
    void changeCount(int by);
    void rename(const ElementRef& element, const QString& name);
    void setCount(const NodeId& node, std::int64_t count);
    /// Adds a part at a place as if dropped on the ground there.
    bool insertPart(const PartId& part, const QPointF& centre);

    /// Selects the elements whose name, part or role contains all words; how many there are.
    int find(const QString& words);
    /// The next element in reading order; false at the end.
    bool selectNext(bool backwards);

signals:
    void said(const QString& text); ///< why something could not be done

private:
    std::optional<Edit> pasteAt(const std::string& text, const QPointF& offset, const QString& name);
    void moveNodes(const std::map<std::string, QPointF>& corners, const QString& name, std::string mergeKey = {});
    bool push(const Edit& edit);

    CanvasScene& m_canvas;
    QString m_lastPasted;
    int m_pasteCount = 0;
};

} // namespace cw
