// node validate.js FILE.glb...: what the Khronos glTF validator says about the files. Prints a line per file and each
// error and warning; exit code 1 when there is one, 2 when the validator cannot be used. Infos (a solid without a shape
// is an empty node) are only counted.
'use strict';

const fs = require('fs');

let validator;
try {
    validator = require('gltf-validator');
} catch (error) {
    console.error(`gltf-validator is not installed (npm ci --prefix tests/gltf): ${error.message}`);
    process.exit(2);
}

const severities = ['error', 'warning'];

async function validate(file) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
        uri: file,
        format: 'glb',
        maxIssues: 100,
    });
    const found = report.issues;
    console.log(`${file}: ${found.numErrors} errors, ${found.numWarnings} warnings, ${found.numInfos} infos, ` +
        `${found.numHints} hints; ${report.info.animationCount} animations, ${report.info.totalTriangleCount} triangles`);
    for (const issue of found.messages.filter((m) => m.severity < 2))
        console.log(`    ${severities[issue.severity]} ${issue.code} ${issue.pointer || issue.offset || ''}: ${issue.message}`);
    return found.numErrors + found.numWarnings === 0;
}

async function main(files) {
    let good = files.length > 0;
    for (const file of files) {
        try {
            good = await validate(file) && good;
        } catch (error) {
            console.log(`${file}: ${error}`);
            good = false;
        }
    }
    process.exitCode = good ? 0 : 1;
}

main(process.argv.slice(2));
