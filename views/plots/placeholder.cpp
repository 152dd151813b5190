// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the target alive until its first source arrives; then delete this file.
namespace cw {}
