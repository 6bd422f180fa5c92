/* Writes moments in the zone of the browser: the server, whose pages are the same for all readers, writes them in UTC.

   <time data-moment datetime="2026-10-16T00:30:00+00:00">2026-10-16 00:30 UTC</time>   becomes 2026-10-15 20:30
   <option data-moment="2026-10-16T00:30:00+00:00">Ada, Ben · 2026-10-16</option>       becomes Ada, Ben · 2026-10-15
   local(text, moment)   the same for a text that some script is about to show */

const IS_GERMAN = document.documentElement.lang === "de";
const two = (number) => String(number).padStart(2, "0");

/* As atta_site/formats writes a day, and a time. */
function written(at) {
  const [year, month, day] = [at.getUTCFullYear(), two(at.getUTCMonth() + 1), two(at.getUTCDate())];
  return {
    day: IS_GERMAN ? `${day}.${month}.${year}` : `${year}-${month}-${day}`,
    time: `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`,
  };
}

/* The UTC fields of what this returns are the fields that clocks here show. */
function here(at) {
  return new Date(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()));
}

export function local(text, moment) {
  const at = new Date(moment);
  const [there, mine] = [written(at), written(here(at))];
  return text.replace(`${there.day} ${there.time} UTC`, `${mine.day} ${mine.time}`).replace(there.day, mine.day);
}

function write(element) {
  const moment = element.dataset.moment || element.dateTime;
  const { day, time } = written(new Date(moment));
  delete element.dataset.moment;
  element.textContent = local(element.textContent, moment);
  if (element.title) element.title = local(element.title, moment);
  else if (element.dateTime) element.title = `${day} ${time} UTC`;
}

const writeAll = () => document.querySelectorAll("[data-moment]").forEach(write);
writeAll();
// Parts of pages come later: newer games, comments, tables.
new MutationObserver(writeAll).observe(document.body, { childList: true, subtree: true });
