// A server as boardgame.io's tutorial makes one, in memory, with the game of game/marking.py. Prints its port.
const { Server } = require("boardgame.io/server");

const marking = {
    name: "marking",
    setup: () => ({ cells: Array(100).fill(null) }),
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
        mark: ({ G, playerID }, at) => {
            if (!(at in G.cells)) throw new Error("there is no such cell");
            G.cells[at] = playerID;
        },
    },
};

Server({ games: [marking], origins: ["http://127.0.0.1"] })
    .run(0)
    .then(({ appServer }) => console.log(`port ${appServer.address().port}`));
