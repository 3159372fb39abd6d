import { defineConfig } from 'vite';

// One page, relative addresses: the command serves dist/ from its own root, and any folder would do as well.
export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,  // the server's policy allows own files only; data: addresses are for pictures alone
    chunkSizeWarningLimit: 1200,
    rollupOptions: {
      output: {
        // Three is half of the weight and changes least: apart it stays in the browser's cache when we change ours.
        // The editor and the plots come after the first picture.
        manualChunks: (id) => (id.includes('node_modules/three') ? 'three' : /node_modules\/(lit|@lit)/.test(id) ? 'lit' : id.includes('node_modules') ? 'editor' : undefined),
      },
    },
  },
  server: { host: '127.0.0.1' },
});
