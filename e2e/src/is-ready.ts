/** Whether the api at that address answers, and says that it is ready. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false
  )
