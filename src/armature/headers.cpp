// Carries the precompiled headers of the rooms and of the command (CMakeLists.txt beside it).
