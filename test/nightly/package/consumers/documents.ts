import schema from 'petstore-sandbox/capture.schema.json' with { type: 'json' }
import manifest from 'petstore-sandbox/package.json' with { type: 'json' }

const title: string = schema.title
const version: string = manifest.version
if (title === '' || version === '') throw new Error('Cannot read the documents of the package')

// @ts-expect-error: a version is a text.
void (() => manifest.version.toFixed())
