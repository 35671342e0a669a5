petstore-sandbox completion >> ~/.bashrc
