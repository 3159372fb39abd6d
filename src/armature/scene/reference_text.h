// The parts of docs/language.md that are prose.
#pragma once

#include <string_view>

namespace armature::lang {

inline constexpr std::string_view reference_introduction =
    R"md(<!-- Written by `armature list language` from the schema in src/armature/scene/schema. Do not edit. -->
# The scene language

A scene is a text file, by custom with the ending `.arm`. It says which objects there are, how they are tied together,
what pulls at them and how to simulate them. The language contains that of [Gascuel, Gascuel 1994, §5.2]: a constraint
written as in that paper loads as it is.

```
title "Double pendulum";
parameter length 0.5;          // metres
simulation duration 10; end

repeat i from 1 to 2
  object rod[i]
    capsule radius 0.02 length length;
    at length*(i - 0.5) 2 0;
    turn 0 0 1 90 deg;
  end
end
constraint object2 rod[1]; hinge 0 2 0  0 length/2 0; end
constraint object1 rod[1]; object2 rod[2]; hinge 0 -length/2 0  0 length/2 0; end
```

## How it is written

- A **statement** is a keyword, its arguments and a `;`. A **block** is its kind, perhaps a name, statements and `end`.
  Line breaks mean nothing.
- Arguments are separated by blanks. Many keywords have **options** behind their arguments, in any order, each with
  arguments of its own: `angle 1 0 0 1 0 0 min 0.1 max 0.5;`.
- Comments are `/* … */` and `// …` to the end of the line.
- **Names** are made of letters, digits, `_`, and `-` when a letter follows: `left-foot` is a name, `length-1` is a
  subtraction, `a-b` is a name again (write `a - b`). A name can have indices, `link[i + 1]`, `node[i][j]`, and names
  inside a placed group have dots, `doll[3].head`. `world` is what is fixed.
- All objects, paths, constraints, joints, tracks, forces and placements share one set of names. They can be used before
  they are defined. Parameters and groups must be defined first.
- In the tables below `<name>` stands for three numbers, x y z, and `[…]` for what may be left out.
- Units are SI; angles are in radians unless `deg` is written. The y axis points up.
- Texts and file names stand in quotes: `"parts/leg.arm"`.
- `armature format` gives a text its usual layout, `armature check` says all that is wrong with it in one go.

## Numbers and expressions

Wherever a number may stand, an expression may stand: numbers (`1`, `.5`, `5.`, `1e-3`), parameters and loop variables,
`+ - * / % ^`, parentheses, the constants `pi`, `tau` (2π) and `inf` (no limit), and these functions:

)md";

inline constexpr std::string_view reference_middle = R"md(
- `^` binds tighter than a sign: `-2^2` is -4. `%` is the remainder with the sign of the divisor.
- `30 deg` is 30 degrees in radians, `rad` changes nothing. Behind a blank the unit belongs to the whole product,
  `360/n deg` is (360/n) degrees; written straight behind a number it belongs to that number, `2*30deg`.
- Because arguments stand side by side, a sign with a blank before it and none after it begins the next argument:
  `0 -2.0 0` are three numbers. With blanks on both sides, or on none, it is an operation: `a - 2`, `2-1`. Inside
  parentheses blanks mean nothing.
- Where plain numbers are expected, the name of an option of the same keyword is the option; a parameter of that name
  needs parentheses: `point_mass (at)`. Behind an option its values come first: `sphere radius radius` is fine.
- A division by zero or any other value that is not finite is an error.

)md";

inline constexpr std::string_view reference_paths = R"md(## Paths: naming every value

`--set path=value` on the command line, and the tools, change single values. The value is an expression and sees the
parameters that the text sees at that place.

| path | what |
|---|---|
| `length` | a parameter |
| `wheel.mass` | keyword of a block |
| `knee.angle.max`, `elbow.turn.speed` | option of a keyword |
| `wheel.at.y`, `knee.hinge.P1` | a component, an argument by its name in the tables above |
| `wheel.sphere#2.radius` | the second `sphere` of a block |
| `link[3].at` | a block of a repeat |
| `doll[2].head.density`, `doll[2].size`, `doll[2].at` | inside a placed group, its parameter, its placement |
| `simulation.dt` | settings |
| `body~wheel.angle.max` | a constraint without a name, by its objects; `body~wheel#2` is the second between them |

A keyword that the block does not have is added by `--set`. A `pose` of an object goes before its `at` and `turn`,
however those were set.

)md";

}  // namespace armature::lang
