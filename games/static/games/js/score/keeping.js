/** Keeps score sheets, and games that wait to be uploaded, on this device. Every save names the version it changes, so that two tabs with the same sheet
 * never overwrite each other: the second one receives what was saved first. Other tabs are notified of every save. */

const NAME = "atta-score";
const SHEETS = "sheets";
const OUTBOX = "outbox";

function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function finished(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** Thrown when another tab has saved the sheet in the meantime. */
export class Overtaken extends Error {
  constructor(stored) {
    super("another tab has saved this sheet");
    this.stored = stored;
  }
}

export class Keeping {
  /** Opens the device's store; `onNews(id)` is called when another tab has saved or removed a sheet. */
  static async open(onNews) {
    const opening = indexedDB.open(NAME, 2);
    opening.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) opening.result.createObjectStore(SHEETS, { keyPath: "id" });
      opening.result.createObjectStore(OUTBOX, { keyPath: "key" });
    };
    return new Keeping(await answered(opening), onNews);
  }

  constructor(database, onNews) {
    this.database = database;
    this.tabs = new BroadcastChannel(NAME);
    this.tabs.onmessage = ({ data }) => onNews(data.id);
    database.onversionchange = () => database.close();
  }

  /** Lists all sheets, newest first. */
  async list() {
    const found = await answered(this.database.transaction(SHEETS).objectStore(SHEETS).getAll());
    return found.sort((one, other) => other.changed - one.changed);
  }

  read(id) {
    return answered(this.database.transaction(SHEETS).objectStore(SHEETS).get(id));
  }

  /** Saves a sheet as its next version and returns that. Throws `Overtaken` if that version already exists. */
  async write(data) {
    const transaction = this.database.transaction(SHEETS, "readwrite", { durability: "strict" });
    const done = finished(transaction);
    const store = transaction.objectStore(SHEETS);
    const stored = await answered(store.get(data.id));
    if (stored && stored.version !== data.version) {
      await done;
      throw new Overtaken(stored);
    }
    store.put({ ...data, version: data.version + 1 });
    await done;
    this.tabs.postMessage({ id: data.id });
    return data.version + 1;
  }

  async remove(id) {
    const transaction = this.database.transaction(SHEETS, "readwrite");
    transaction.objectStore(SHEETS).delete(id);
    await finished(transaction);
    this.tabs.postMessage({ id });
  }

  /** Lists the games that wait to be uploaded, in the order in which they were put there. */
  async waiting() {
    const found = await answered(this.database.transaction(OUTBOX).objectStore(OUTBOX).getAll());
    return found.sort((one, other) => one.since - other.since);
  }

  enqueue(item) {
    return this.changeOutbox((store) => store.put(item));
  }

  dequeue(key) {
    return this.changeOutbox((store) => store.delete(key));
  }

  async changeOutbox(change) {
    const transaction = this.database.transaction(OUTBOX, "readwrite", { durability: "strict" });
    change(transaction.objectStore(OUTBOX));
    await finished(transaction);
  }
}
