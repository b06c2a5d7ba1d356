/** Where `vite dev` finds the api. */
export const apiUrl = process.env['API_URL'] ?? 'http://127.0.0.1:49998'
