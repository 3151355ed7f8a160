/** Lets at most `limit` calls through a second and queues the rest. */
export function throttle<A extends unknown[], R>(limit: number, task: (...args: A) => Promise<R>) {
  const recent: number[] = [];
  return async (...args: A): Promise<R> => {
    while (recent.length >= limit) {
      const wait = 1000 - (Date.now() - recent[0]);
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      recent.shift();
    }
    recent.push(Date.now());
    return task(...args);
  };
}
