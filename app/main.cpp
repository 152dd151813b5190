// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_program.h"

int main(int argc, char** argv) { return cw::runProgram(argc, argv); }
