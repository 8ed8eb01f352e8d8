// The event list of a live game: new events are added at its end.

import { EventList, generalFindings } from "./event_list.js";
import { groups } from "./rounds.js";

export class LiveEventList extends EventList {
  // Adds the lines of new events. If earlier events have `changed`, all lines are made again.
  grow(changed) {
    this.groups = groups(this.data);
    if (changed) {
      this.groupUnseen();
      this.root.querySelectorAll(":scope > .finding").forEach((finding) => finding.remove());
      this.body.before(...generalFindings(this.data));
    }
    for (let n = this.lineOf.length; n <= this.data.last; n++) {
      const { node } = this.add(n), here = node.contains(document.activeElement) && Number(document.activeElement.closest("li")?.dataset.n);
      this.lineOf.push(n);
      if (!node.isConnected) this.body.append(node);
      this.sight.observe(node);
      node.replaceChildren();
      this.filled.delete(this.blocks.at(-1));
      this.fill(this.blocks.at(-1));
      if (here) this.links.get(here).focus({ preventScroll: true });
    }
    for (const link of this.links.values()) link.parentNode.setAttribute("aria-setsize", this.lines.length);
  }

  // Returns whether the line of event n is visible.
  isVisible(n) {
    const box = this.root.getBoundingClientRect(), own = this.links.get(n)?.getBoundingClientRect();
    return Boolean(own) && own.bottom > box.top && own.top < box.bottom;
  }

  // A live event does not scroll the list while the reader looks at earlier events.
  follow(by) {
    const away = by === "live" && !this.isVisible(this.stop);
    super.follow();
    if (away) cancelAnimationFrame(this.frame);
  }
}
