# SPDX-License-Identifier: GPL-3.0-or-later
# Language level, warnings, sanitizers and the compiler cache. Everything reaches a target through the INTERFACE
# library cw_options, so that no flag is set globally behind a target's back.

option(CW_WERROR "Treat warnings as errors (continuous integration does)" OFF)
option(CW_BUILD_TESTS "Build the tests" ON)
option(CW_PRECOMPILE "Use precompiled headers" ON)
set(CW_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
option(CW_COVERAGE "Instrument for gcov" OFF)
option(CW_FUZZ "Build the fuzz targets (needs Clang with libFuzzer)" OFF)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()
# Assertions are part of the program: an assertion that fires leads to the crash guard, which saves the work. So no
# kind of build defines NDEBUG, and Qt's own assertions stay on. Eigen's inner loops are the exception.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF) # moc needs no other target to be built first

add_library(cw_options INTERFACE)
target_include_directories(cw_options INTERFACE "${CMAKE_SOURCE_DIR}")
# -fPIC last on the line: programs and libraries then agree, which lets them share one precompiled header.
target_compile_options(cw_options INTERFACE -fPIC "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=")
target_compile_definitions(cw_options INTERFACE
    BOOST_ALL_NO_LIB QT_FORCE_ASSERTS QT_NO_CAST_TO_ASCII QT_DISABLE_DEPRECATED_BEFORE=0x060400
    $<$<CONFIG:Release>:EIGEN_NO_DEBUG>
    $<$<NOT:$<CONFIG:Release>>:_GLIBCXX_ASSERTIONS>)

add_library(cw_warnings INTERFACE)
target_compile_options(cw_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<BOOL:${CW_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    # False alarms of GCC 12 in std::string, std::optional and std::variant when it optimizes.
    target_compile_options(cw_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized -Wno-array-bounds
        -Wno-stringop-overflow -Wno-stringop-overread)
endif()

if(CW_SANITIZE)
    target_compile_options(cw_options INTERFACE "-fsanitize=${CW_SANITIZE}" -fno-omit-frame-pointer)
    if(CW_SANITIZE MATCHES "undefined")
        target_compile_options(cw_options INTERFACE -fno-sanitize-recover=undefined)
    endif()
    target_link_options(cw_options INTERFACE "-fsanitize=${CW_SANITIZE}")
endif()
if(CW_FUZZ)
    target_compile_options(cw_options INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(cw_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(CW_COVERAGE)
    target_compile_options(cw_options INTERFACE --coverage)
    target_link_options(cw_options INTERFACE --coverage)
endif()

# One cache for all work trees: paths below the source folder are hashed relative to it, and a precompiled header counts
# by what it is made from (a checksum file beside it, see _cw_precompiled_header), because its bytes differ each time.
find_program(CW_CCACHE ccache)
if(CW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
        "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
        "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1 CCACHE_INODECACHE=1
        "${CW_CCACHE}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(cw_options INTERFACE -fpch-preprocess)
    endif()
endif()
