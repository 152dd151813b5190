# SPDX-License-Identifier: GPL-3.0-or-later
# One function for each kind of target. A layer's CMakeLists.txt only names sources and what they use.
#
#   cw_library(NAME cw_model SOURCES a.cpp b.cpp LINK fmt::fmt PRIVATE_LINK Eigen3::Eigen [PCH qt])
#   cw_program(NAME clusterwright SOURCES main.cpp LINK cw_app)
#   cw_test(NAME units LINK cw_model [SOURCES …] [PRIVATE_LINK …] [TIMEOUT seconds] [LABELS slow])
#   cw_fuzz(NAME project_file LINK cw_model)
#
# A library whose LINK or PRIVATE_LINK names a Qt target gets moc. PCH chooses the precompiled header: std (default), qt,
# test or none.

function(_cw_finish target pch)
    target_link_libraries(${target} PUBLIC cw_options PRIVATE cw_warnings)
    if(CW_PRECOMPILE AND NOT pch STREQUAL "none")
        target_precompile_headers(${target} REUSE_FROM cw_pch_${pch})
    endif()
endfunction()

function(_cw_use_moc target)
    if("${ARGN}" MATCHES "Qt6::|cw_document|cw_live|cw_views|cw_plots|cw_app")
        set_target_properties(${target} PROPERTIES AUTOMOC ON)
    endif()
endfunction()

function(cw_library)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;PCH" "SOURCES;LINK;PRIVATE_LINK")
    if(NOT arg_PCH)
        set(arg_PCH std)
    endif()
    add_library(${arg_NAME} STATIC ${arg_SOURCES})
    _cw_use_moc(${arg_NAME} ${arg_LINK} ${arg_PRIVATE_LINK})
    target_link_libraries(${arg_NAME} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
    _cw_finish(${arg_NAME} ${arg_PCH})
endfunction()

# The program lies directly in the build folder.
function(cw_program)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LINK")
    add_executable(${arg_NAME} ${arg_SOURCES})
    target_link_libraries(${arg_NAME} PRIVATE ${arg_LINK})
    set_target_properties(${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
    _cw_finish(${arg_NAME} none)
endfunction()

# A Qt Test program, run by ctest as FOLDER.NAME. Without SOURCES it is made of NAME_test.cpp. It runs without a display,
# with a fixed locale and time zone, in the source folder, and with its own empty home, so that no test reads or writes
# what belongs to the user.
function(cw_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT" "SOURCES;LINK;PRIVATE_LINK;LABELS")
    if(NOT arg_SOURCES)
        set(arg_SOURCES ${arg_NAME}_test.cpp)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
    set(target test_${folder}_${arg_NAME})
    add_executable(${target} ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/${folder}")
    target_link_libraries(${target} PRIVATE ${arg_LINK} ${arg_PRIVATE_LINK} cw_test_support)
    _cw_finish(${target} test)
    set(home "${CMAKE_BINARY_DIR}/tests/home/${folder}_${arg_NAME}")
    file(MAKE_DIRECTORY "${home}")
    file(CHMOD "${home}" DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE) # Qt wants XDG_RUNTIME_DIR private
    add_test(NAME ${folder}.${arg_NAME} COMMAND ${target} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    set(environment QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 LANGUAGE= TZ=UTC QT_SCALE_FACTOR=1
        "HOME=${home}" "XDG_CONFIG_HOME=${home}/config" "XDG_DATA_HOME=${home}/data" "XDG_CACHE_HOME=${home}/cache"
        "XDG_STATE_HOME=${home}/state" "XDG_RUNTIME_DIR=${home}" "CW_PROGRAM=$<TARGET_FILE:clusterwright>")
    set_tests_properties(${folder}.${arg_NAME} PROPERTIES ENVIRONMENT "${environment}" TIMEOUT ${arg_TIMEOUT}
        LABELS "${folder};${arg_LABELS}")
endfunction()

# A libFuzzer program NAME_fuzz.cpp, with the seeds in SEEDS (a folder of the project). Only in the preset fuzz.
function(cw_fuzz)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SEEDS" "LINK")
    add_executable(fuzz_${arg_NAME} ${arg_NAME}_fuzz.cpp)
    target_link_libraries(fuzz_${arg_NAME} PRIVATE ${arg_LINK})
    target_link_options(fuzz_${arg_NAME} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz_${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
    _cw_finish(fuzz_${arg_NAME} std)
    # What it finds stays in the build folder: the corpus grows there, the seeds are only read.
    set(corpus "${CMAKE_BINARY_DIR}/fuzz/corpus/${arg_NAME}")
    add_custom_target(run_fuzz_${arg_NAME} USES_TERMINAL WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz"
        COMMAND ${CMAKE_COMMAND} -E make_directory "${corpus}"
        COMMAND fuzz_${arg_NAME} -max_total_time=60 -rss_limit_mb=2048 -max_len=65536 "${corpus}" ${arg_SEEDS})
endfunction()

# The three precompiled headers, each compiled once and shared by every target of its kind. Their size is what every
# compilation pays for, cached or not (all of QtWidgets: 330 MB and 2 s a file; this choice 200 MB and .7 s, against
# 3.4 s without), so only what most files include is in them.
function(_cw_precompiled_header name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;LINK")
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/pch/${name}.cpp" CONTENT "// Only carries a precompiled header.\n")
    add_library(cw_pch_${name} OBJECT "${CMAKE_BINARY_DIR}/pch/${name}.cpp")
    target_link_libraries(cw_pch_${name} PRIVATE cw_options cw_warnings ${arg_LINK})
    target_precompile_headers(cw_pch_${name} PRIVATE ${arg_HEADERS})
    # What ccache hashes instead of the 200 MB of GCC's output, which are never the same twice. The compiler and its flags
    # count anyway; the headers are all of the system, so the versions of the libraries tell them apart.
    string(JOIN "\n" sum ${arg_HEADERS} "Qt ${Qt6_VERSION}" "Boost ${Boost_VERSION}" "expected ${tl-expected_VERSION}"
        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "${CMAKE_CXX_FLAGS}" "")
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/CMakeFiles/cw_pch_${name}.dir/cmake_pch.hxx.gch.sum" CONTENT "${sum}")
endfunction()

if(CW_PRECOMPILE)
    set(std_headers <algorithm> <array> <cmath> <compare> <cstdint> <functional> <limits> <map> <memory> <numeric>
        <optional> <set> <span> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
        <tl/expected.hpp> <boost/units/base_dimension.hpp> <boost/units/base_unit.hpp>
        <boost/units/derived_dimension.hpp> <boost/units/make_system.hpp> <boost/units/quantity.hpp>
        <boost/units/unit.hpp>)
    set(std_link tl::expected Boost::headers)
    _cw_precompiled_header(std LINK ${std_link} HEADERS ${std_headers})
    set(qt_headers <QAbstractItemModel> <QAction> <QBoxLayout> <QComboBox> <QCoreApplication> <QFile> <QGraphicsItem>
        <QGraphicsScene> <QGraphicsView> <QHash> <QLabel> <QLocale> <QMouseEvent> <QObject> <QPainter> <QPointer>
        <QSettings> <QString> <QStringList> <QToolButton> <QUndoStack> <QVariant> <QWidget>)
    _cw_precompiled_header(qt LINK ${std_link} Qt6::Widgets HEADERS ${std_headers} ${qt_headers})
    if(CW_BUILD_TESTS)
        _cw_precompiled_header(test LINK ${std_link} Qt6::Widgets Qt6::Test HEADERS ${std_headers} ${qt_headers}
            <QApplication> <QSignalSpy> <QTest>)
    endif()
endif()
