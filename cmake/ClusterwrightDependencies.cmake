# SPDX-License-Identifier: GPL-3.0-or-later
# Every library that some layer uses, found once. All of them are Debian 12 packages: cmake/debian-packages.txt.

find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg PrintSupport)
find_package(QCustomPlotQt6 REQUIRED) # looks for the Qt targets of the line above
find_package(nlohmann_json 3.11 REQUIRED)
find_package(Boost 1.74 REQUIRED) # headers only: Boost.Units, Boost.Graph
find_package(tl-expected REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(CLI11 2 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(XLSXWRITER REQUIRED IMPORTED_TARGET xlsxwriter)
if(CW_BUILD_TESTS)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
    find_package(rapidcheck REQUIRED)
    # Qt would define the absolute build folder in every test: no precompiled header, no cache entry could be shared.
    get_target_property(definitions Qt6::Test INTERFACE_COMPILE_DEFINITIONS)
    list(FILTER definitions EXCLUDE REGEX "QT_TESTCASE_")
    set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
endif()

# Some builds of the package export only the plain name.
if(NOT TARGET QCustomPlotQt6::QCustomPlotQt6)
    add_library(QCustomPlotQt6::QCustomPlotQt6 ALIAS QCustomPlotQt6)
endif()
