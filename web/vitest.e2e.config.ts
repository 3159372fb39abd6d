import { defineConfig } from 'vitest/config';

// One browser at a time: drawing in software takes a whole core, and two would only wait for one another.
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    sequence: { concurrent: false },
  },
});
