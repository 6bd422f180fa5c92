/* The service worker: shows notifications even when no page of the site is open (games/push/delivery.py), and
   opens the page a notification is about. It is served as /sw.js. */

self.addEventListener("push", (event) => event.waitUntil(show(event.data.json())));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data, location).href));
});

/* Shows every notification, as browsers require, but silently if that table is already in view. */
async function show({ title, body, url, tag }) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isThere = windows.some((one) => one.focused && new URL(one.url).pathname === url);
  await self.registration.showNotification(title, { body, tag, data: url, silent: isThere });
}

async function open(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((one) => one.url.split(/[?#]/)[0] === address);
  await (there ? there.focus() : self.clients.openWindow(address));
}
