export default {
  stories: ['../*.stories.js'],
  addons: ['msw-storybook-addon'],
  framework: '@storybook/html-vite',
  staticDirs: ['../public'],
}
