npx petstore-sandbox snapshot save bug.json
npx petstore-sandbox snapshot restore bug.json
