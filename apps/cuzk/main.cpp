#include "commands/commands.h"

int main(int argc, char** argv) { return cuzk::apps::run_program(argc, argv); }
