// What is shown where an address leads to no view.
import { h, link } from "../dom.js";

export const show = () => [
  h("h1", {}, "Not found"),
  h("p", { class: "lead" }, "This page shows nothing at ", h("code", {}, location.hash), "."),
  h("p", {}, h("a", { href: link("search") }, "Search memory")),
];
