// What tests import of `src/` is there from the start, as what Node imports of the package is.
import '../../src/node/index.ts'
import '../../src/node/msw.ts'
