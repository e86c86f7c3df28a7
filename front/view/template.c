/* page.css, page.html and the scripts, which the build turns into arrays of bytes. */
#include "front/view/view.h"
#include "view_page.inc"

view_part view_style(void)
{
    return (view_part){(const char *)page_css, sizeof page_css};
}

view_part view_body(void)
{
    return (view_part){(const char *)page_html, sizeof page_html};
}

view_part view_script(void)
{
    return (view_part){(const char *)page_js, sizeof page_js};
}
