// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/binding.h"

#include "model/document/document.h"

namespace cw {

Expected<Edit> editElements(const Document& document, const std::vector<ElementRef>& refs,
                            const std::function<void(Element&)>& change, const QString& name) {
    Edit edit;
    edit.name = name.toStdString();
    for (const ElementRef& ref : refs) {
        Element element = elementAt(document.project(), ref);
        if (std::holds_alternative<std::monostate>(element))
            return fail({ref.id, "an element of the project", "nothing", "The element is not there any more."});
        if (const auto* alternative = std::get_if<Alternative>(&element))
            element = headOf(*alternative); // its lists have elements of their own
        Change one{ref, element, std::move(element), -1, -1};
        change(one.after);
        edit.changes.push_back(std::move(one));
    }
    return withoutNoOps(std::move(edit));
}

} // namespace cw
