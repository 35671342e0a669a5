const modules = [
  'petstore-sandbox',
  '@faker-js',
  '@msw',
  '@mswjs',
  '@open-draft',
  'cookie',
  'msw',
  'rettime',
  'until-async',
]

module.exports = {
  transform: { '\\.[mc]?[jt]sx?$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${modules.join('|')})/)`],
}
