module.exports = { preset: 'petstore-sandbox/jest' }
