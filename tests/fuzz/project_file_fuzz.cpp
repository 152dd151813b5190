// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/assert.h"
#include "model/io/project_file.h"

#include <cstddef>
#include <cstdint>

// Any bytes are either refused with a reason or read as a project which, written and read again, is written alike.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const cw::ReadResult first = cw::readProject({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (!first.ok) {
        CW_ASSERT(!first.errors.empty());
        return 0;
    }
    const std::string text = cw::writeProject(first.project);
    const cw::ReadResult again = cw::readProject(text, "written");
    CW_ASSERT(again.ok);
    CW_ASSERT(cw::writeProject(again.project) == text);
    return 0;
}
