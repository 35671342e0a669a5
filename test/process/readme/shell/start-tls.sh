npx petstore-sandbox --tls-cert cert.pem --tls-key key.pem
