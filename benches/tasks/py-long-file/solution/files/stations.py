"""Readings of all stations, each with its own conversion to millimetres."""


def amber_0(reading):
    """Station 1. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def birch_0(reading):
    """Station 2. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def cedar_0(reading):
    """Station 3. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def delta_0(reading):
    """Station 4. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ember_0(reading):
    """Station 5. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def fjord_0(reading):
    """Station 6. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def grove_0(reading):
    """Station 7. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def heath_0(reading):
    """Station 8. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def inlet_0(reading):
    """Station 9. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def jetty_0(reading):
    """Station 10. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def knoll_0(reading):
    """Station 11. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def larch_0(reading):
    """Station 12. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def maple_0(reading):
    """Station 13. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def north_0(reading):
    """Station 14. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ocean_0(reading):
    """Station 15. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def pearl_0(reading):
    """Station 16. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def quartz_0(reading):
    """Station 17. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ridge_0(reading):
    """Station 18. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def slate_0(reading):
    """Station 19. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def thorn_0(reading):
    """Station 20. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def umber_0(reading):
    """Station 21. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def valley_0(reading):
    """Station 22. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def willow_0(reading):
    """Station 23. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def xenon_0(reading):
    """Station 24. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def yarrow_0(reading):
    """Station 25. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def zephyr_0(reading):
    """Station 26. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def amber_1(reading):
    """Station 27. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def birch_1(reading):
    """Station 28. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def cedar_1(reading):
    """Station 29. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def delta_1(reading):
    """Station 30. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def ember_1(reading):
    """Station 31. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def fjord_1(reading):
    """Station 32. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def grove_1(reading):
    """Station 33. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def heath_1(reading):
    """Station 34. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def inlet_1(reading):
    """Station 35. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def jetty_1(reading):
    """Station 36. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def knoll_1(reading):
    """Station 37. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def larch_1(reading):
    """Station 38. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def maple_1(reading):
    """Station 39. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def north_1(reading):
    """Station 40. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ocean_1(reading):
    """Station 41. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def pearl_1(reading):
    """Station 42. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def quartz_1(reading):
    """Station 43. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ridge_1(reading):
    """Station 44. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def slate_1(reading):
    """Station 45. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def thorn_1(reading):
    """Station 46. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def umber_1(reading):
    """Station 47. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def valley_1(reading):
    """Station 48. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def willow_1(reading):
    """Station 49. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def xenon_1(reading):
    """Station 50. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def yarrow_1(reading):
    """Station 51. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def zephyr_1(reading):
    """Station 52. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def amber_2(reading):
    """Station 53. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def birch_2(reading):
    """Station 54. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def cedar_2(reading):
    """Station 55. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def delta_2(reading):
    """Station 56. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ember_2(reading):
    """Station 57. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def fjord_2(reading):
    """Station 58. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def grove_2(reading):
    """Station 59. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def heath_2(reading):
    """Station 60. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def inlet_2(reading):
    """Station 61. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def jetty_2(reading):
    """Station 62. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def knoll_2(reading):
    """Station 63. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def larch_2(reading):
    """Station 64. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def maple_2(reading):
    """Station 65. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def north_2(reading):
    """Station 66. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def ocean_2(reading):
    """Station 67. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def pearl_2(reading):
    """Station 68. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def quartz_2(reading):
    """Station 69. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def ridge_2(reading):
    """Station 70. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def slate_2(reading):
    """Station 71. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def thorn_2(reading):
    """Station 72. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def umber_2(reading):
    """Station 73. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def valley_2(reading):
    """Station 74. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def willow_2(reading):
    """Station 75. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def xenon_2(reading):
    """Station 76. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def yarrow_2(reading):
    """Station 77. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def zephyr_2(reading):
    """Station 78. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def amber_3(reading):
    """Station 79. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def birch_3(reading):
    """Station 80. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def cedar_3(reading):
    """Station 81. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def delta_3(reading):
    """Station 82. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ember_3(reading):
    """Station 83. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def fjord_3(reading):
    """Station 84. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def grove_3(reading):
    """Station 85. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def heath_3(reading):
    """Station 86. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def inlet_3(reading):
    """Station 87. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def jetty_3(reading):
    """Station 88. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def knoll_3(reading):
    """Station 89. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def larch_3(reading):
    """Station 90. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def maple_3(reading):
    """Station 91. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def north_3(reading):
    """Station 92. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ocean_3(reading):
    """Station 93. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def pearl_3(reading):
    """Station 94. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def quartz_3(reading):
    """Station 95. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ridge_3(reading):
    """Station 96. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def slate_3(reading):
    """Station 97. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def thorn_3(reading):
    """Station 98. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def umber_3(reading):
    """Station 99. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def valley_3(reading):
    """Station 100. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def willow_3(reading):
    """Station 101. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def xenon_3(reading):
    """Station 102. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def yarrow_3(reading):
    """Station 103. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def zephyr_3(reading):
    """Station 104. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def amber_4(reading):
    """Station 105. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def birch_4(reading):
    """Station 106. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def cedar_4(reading):
    """Station 107. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def delta_4(reading):
    """Station 108. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def ember_4(reading):
    """Station 109. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def fjord_4(reading):
    """Station 110. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def grove_4(reading):
    """Station 111. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def heath_4(reading):
    """Station 112. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def inlet_4(reading):
    """Station 113. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def jetty_4(reading):
    """Station 114. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def knoll_4(reading):
    """Station 115. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def larch_4(reading):
    """Station 116. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def maple_4(reading):
    """Station 117. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def north_4(reading):
    """Station 118. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ocean_4(reading):
    """Station 119. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def pearl_4(reading):
    """Station 120. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def quartz_4(reading):
    """Station 121. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ridge_4(reading):
    """Station 122. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def slate_4(reading):
    """Station 123. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def thorn_4(reading):
    """Station 124. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def umber_4(reading):
    """Station 125. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def valley_4(reading):
    """Station 126. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def willow_4(reading):
    """Station 127. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def xenon_4(reading):
    """Station 128. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def yarrow_4(reading):
    """Station 129. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def zephyr_4(reading):
    """Station 130. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def amber_5(reading):
    """Station 131. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def birch_5(reading):
    """Station 132. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def cedar_5(reading):
    """Station 133. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def delta_5(reading):
    """Station 134. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ember_5(reading):
    """Station 135. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def fjord_5(reading):
    """Station 136. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def grove_5(reading):
    """Station 137. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def heath_5(reading):
    """Station 138. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def inlet_5(reading):
    """Station 139. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def jetty_5(reading):
    """Station 140. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def knoll_5(reading):
    """Station 141. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def larch_5(reading):
    """Station 142. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def maple_5(reading):
    """Station 143. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def north_5(reading):
    """Station 144. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def ocean_5(reading):
    """Station 145. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def pearl_5(reading):
    """Station 146. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def quartz_5(reading):
    """Station 147. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def ridge_5(reading):
    """Station 148. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def slate_5(reading):
    """Station 149. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def thorn_5(reading):
    """Station 150. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def umber_5(reading):
    """Station 151. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def valley_5(reading):
    """Station 152. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def willow_5(reading):
    """Station 153. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def xenon_5(reading):
    """Station 154. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def yarrow_5(reading):
    """Station 155. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def zephyr_5(reading):
    """Station 156. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def amber_6(reading):
    """Station 157. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def birch_6(reading):
    """Station 158. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def cedar_6(reading):
    """Station 159. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def delta_6(reading):
    """Station 160. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ember_6(reading):
    """Station 161. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def fjord_6(reading):
    """Station 162. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def grove_6(reading):
    """Station 163. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def heath_6(reading):
    """Station 164. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def inlet_6(reading):
    """Station 165. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def jetty_6(reading):
    """Station 166. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def knoll_6(reading):
    """Station 167. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def larch_6(reading):
    """Station 168. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def maple_6(reading):
    """Station 169. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def north_6(reading):
    """Station 170. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ocean_6(reading):
    """Station 171. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def pearl_6(reading):
    """Station 172. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def quartz_6(reading):
    """Station 173. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ridge_6(reading):
    """Station 174. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def slate_6(reading):
    """Station 175. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def thorn_6(reading):
    """Station 176. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def umber_6(reading):
    """Station 177. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def valley_6(reading):
    """Station 178. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def willow_6(reading):
    """Station 179. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def xenon_6(reading):
    """Station 180. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def yarrow_6(reading):
    """Station 181. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def zephyr_6(reading):
    """Station 182. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def amber_7(reading):
    """Station 183. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def birch_7(reading):
    """Station 184. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def cedar_7(reading):
    """Station 185. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def delta_7(reading):
    """Station 186. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def ember_7(reading):
    """Station 187. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def fjord_7(reading):
    """Station 188. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def grove_7(reading):
    """Station 189. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def heath_7(reading):
    """Station 190. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def inlet_7(reading):
    """Station 191. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def jetty_7(reading):
    """Station 192. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def knoll_7(reading):
    """Station 193. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def larch_7(reading):
    """Station 194. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def maple_7(reading):
    """Station 195. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def north_7(reading):
    """Station 196. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ocean_7(reading):
    """Station 197. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def pearl_7(reading):
    """Station 198. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def quartz_7(reading):
    """Station 199. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ridge_7(reading):
    """Station 200. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def slate_7(reading):
    """Station 201. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def thorn_7(reading):
    """Station 202. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def umber_7(reading):
    """Station 203. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def valley_7(reading):
    """Station 204. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def willow_7(reading):
    """Station 205. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def xenon_7(reading):
    """Station 206. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def yarrow_7(reading):
    """Station 207. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def zephyr_7(reading):
    """Station 208. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def amber_8(reading):
    """Station 209. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def birch_8(reading):
    """Station 210. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def cedar_8(reading):
    """Station 211. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def delta_8(reading):
    """Station 212. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ember_8(reading):
    """Station 213. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def fjord_8(reading):
    """Station 214. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def grove_8(reading):
    """Station 215. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def heath_8(reading):
    """Station 216. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def inlet_8(reading):
    """Station 217. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def jetty_8(reading):
    """Station 218. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def knoll_8(reading):
    """Station 219. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def larch_8(reading):
    """Station 220. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def maple_8(reading):
    """Station 221. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def north_8(reading):
    """Station 222. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def ocean_8(reading):
    """Station 223. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def pearl_8(reading):
    """Station 224. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def quartz_8(reading):
    """Station 225. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def ridge_8(reading):
    """Station 226. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def slate_8(reading):
    """Station 227. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def thorn_8(reading):
    """Station 228. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def umber_8(reading):
    """Station 229. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def valley_8(reading):
    """Station 230. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def willow_8(reading):
    """Station 231. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def xenon_8(reading):
    """Station 232. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def yarrow_8(reading):
    """Station 233. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def zephyr_8(reading):
    """Station 234. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def amber_9(reading):
    """Station 235. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def birch_9(reading):
    """Station 236. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def cedar_9(reading):
    """Station 237. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def delta_9(reading):
    """Station 238. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def ember_9(reading):
    """Station 239. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def fjord_9(reading):
    """Station 240. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def grove_9(reading):
    """Station 241. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def heath_9(reading):
    """Station 242. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def inlet_9(reading):
    """Station 243. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def jetty_9(reading):
    """Station 244. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def knoll_9(reading):
    """Station 245. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def larch_9(reading):
    """Station 246. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def maple_9(reading):
    """Station 247. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def north_9(reading):
    """Station 248. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ocean_9(reading):
    """Station 249. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def pearl_9(reading):
    """Station 250. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def quartz_9(reading):
    """Station 251. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def ridge_9(reading):
    """Station 252. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def slate_9(reading):
    """Station 253. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def thorn_9(reading):
    """Station 254. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def umber_9(reading):
    """Station 255. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def valley_9(reading):
    """Station 256. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def willow_9(reading):
    """Station 257. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def xenon_9(reading):
    """Station 258. The gauge reports millimetres."""
    if reading is None:
        return None
    return round(reading * 1, 3)


def yarrow_9(reading):
    """Station 259. The gauge reports centimetres."""
    if reading is None:
        return None
    return round(reading * 10, 3)


def zephyr_9(reading):
    """Station 260. The gauge reports metres."""
    if reading is None:
        return None
    return round(reading * 1000, 3)


def convert(station, reading):
    return globals()[station](reading)
